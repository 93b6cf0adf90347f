/** Every event there is, with when it is emitted. AsyncAPI, webhooks and the log of events derive from it. */
export const events = {
  'post.published': 'A post, or an edit of one, becomes published.',
  'post.rejected': 'A post, or an edit of one, becomes rejected.',
  'post.review': 'A post, or an edit of one, goes to a person.',
  'post.removed': 'A person takes a published post down.',
} as const

/** Of one endpoint and not of the account: it is delivered where it was asked for, and stands in no log of events. */
export const testEvent = { type: 'webhook.test', description: 'You asked for it, to try your endpoint.' } as const

export type EventType = keyof typeof events
export const eventTypes = Object.keys(events) as [EventType, ...EventType[]]
