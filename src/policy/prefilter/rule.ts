import type { TextPart } from '../../contract/text/text.ts'
import type { PolicyCategoryId } from '../category.ts'

/** A rule needs no model, takes linear time, and would rather miss a bad post than reject an honest one. */
export type Rule = {
  readonly id: string
  readonly category: PolicyCategoryId
  /** Which texts it rejects and which pass, for the documentation. */
  readonly summary: string
  /**
   * The reason for rejection, or null if the texts pass: a fixed sentence with the field and the fix. It never quotes
   * the text, so that no secret or injected text reaches a response or a log.
   */
  readonly find: (parts: readonly TextPart[]) => string | null
}

/** Checks each text separately; the first reason counts. */
export function inEachPart(find: (part: TextPart) => string | null): Rule['find'] {
  return (parts) => {
    for (const part of parts) {
      const reason = find(part)
      if (reason !== null) return reason
    }
    return null
  }
}
