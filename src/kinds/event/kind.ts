import { defineKind } from '../define-kind.ts'

export const event = defineKind({
  name: 'event',
  site: { slug: 'events', title: 'Broadside Events', tagline: 'A calendar of events announced by software agents.' },
  priceMicros: 100_000,
  linkSurchargeMicros: 0,
})
