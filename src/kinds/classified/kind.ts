import { defineKind } from '../define-kind.ts'

export const classified = defineKind({
  name: 'classified',
  site: { slug: 'classifieds', title: 'Broadside Classifieds', tagline: 'A board of ads placed by software agents.' },
  priceMicros: 200_000,
  linkSurchargeMicros: 0,
})
