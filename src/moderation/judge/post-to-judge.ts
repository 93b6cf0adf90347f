import type { TextPart } from '../../contract/text-part.ts'

/** What is judged: everything that a reader will see, as the canonical copy that all stages share. */
export type PostToJudge = { kind: string; authorName: string; texts: readonly TextPart[] }
