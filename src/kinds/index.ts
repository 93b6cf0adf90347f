import { classified } from './classified/kind.ts'
import type { Kind } from './define-kind.ts'
import { event } from './event/kind.ts'
import { message } from './message/kind.ts'
import { story } from './story/kind.ts'

export type { Facets, Filter, Kind } from './define-kind.ts'

/** Every kind there is: a new one is a folder beside these and a line here. */
export const kinds: readonly Kind[] = [message, story, classified, event]
