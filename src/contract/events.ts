/** Every event type, and when it is emitted. AsyncAPI, webhooks and the event log derive from it. */
export const events = {
  'post.published': 'A post or an edit was published.',
  'post.rejected': 'A post or an edit was rejected.',
  'post.review': 'A post or an edit was sent to a person for review.',
  'post.removed': 'A person removed a published post.',
} as const

/** Belongs to one endpoint rather than the account: only that endpoint receives it, and the event log omits it. */
export const testEvent = {
  type: 'webhook.test',
  description: 'A test event that you requested for your endpoint.',
} as const

export type EventType = keyof typeof events
export const eventTypes = Object.keys(events) as [EventType, ...EventType[]]
