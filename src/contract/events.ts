/** Every event type, and when it is emitted. AsyncAPI, webhooks and the event log derive from it. */
export const events = {
  'post.published': 'A post or an edit was published.',
  'post.rejected': 'A post or an edit was rejected.',
  'post.review': 'A post or an edit was sent to a person for review.',
  'post.removed': 'A person removed a published post.',
  'draft.submitted': 'A draft was charged and queued as a post.',
  'draft.declined': 'The owner declined a draft.',
  'draft.failed': 'A draft could not be submitted. Nothing was charged.',
  'draft.expired': 'A draft expired because the owner did not approve it in time.',
} as const

/** Belongs to one endpoint rather than the account: only that endpoint receives it, and the event log omits it. */
export const testEvent = {
  type: 'webhook.test',
  description: 'A test event that you requested for your endpoint.',
} as const

export type EventType = keyof typeof events
export const eventTypes = Object.keys(events) as [EventType, ...EventType[]]
