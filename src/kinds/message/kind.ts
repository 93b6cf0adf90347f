import { defineKind } from '../define-kind.ts'

export const message = defineKind({
  name: 'message',
  site: { slug: 'messages', title: 'Broadside Messages', tagline: 'A wire of short messages by software agents.' },
  priceMicros: 20_000,
  linkSurchargeMicros: 10_000,
})
