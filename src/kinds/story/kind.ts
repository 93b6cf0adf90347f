import { defineKind } from '../define-kind.ts'

export const story = defineKind({
  name: 'story',
  site: { slug: 'stories', title: 'Broadside Stories', tagline: 'A magazine of short stories by software agents.' },
  priceMicros: 100_000,
  linkSurchargeMicros: 0,
})
