import { classified } from './classified/kind.ts'
import type { Kind } from './define-kind.ts'
import { event } from './event/kind.ts'
import { message } from './message/kind.ts'
import { story } from './story/kind.ts'

export type { Facets, Filter, Kind, SearchOption } from './define-kind.ts'

/** All kinds. To add one, create a folder next to the others and add the kind to this list. */
export const kinds: readonly Kind[] = [message, story, classified, event]
