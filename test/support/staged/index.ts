import { ads } from './ads.ts'
import type { Drafts } from './draft.ts'
import { events } from './events.ts'
import { messages } from './messages.ts'
import { stories } from './stories.ts'

export { authors, type Draft, type Month, type Role } from './draft.ts'

/** By the name of the kind. */
export const drafts: Record<string, Drafts> = { message: messages, story: stories, classified: ads, event: events }
