import type { TextPart } from '../../contract/text/text.ts'
import type { PolicyCategoryId } from '../category.ts'

/** A rule needs no model, takes linear time, and would rather miss a bad post than refuse an honest one. */
export type Rule = {
  readonly id: string
  readonly category: PolicyCategoryId
  /** What it refuses, and what it lets pass, for the documentation. */
  readonly summary: string
  /**
   * Why these texts are refused, or null: a fixed sentence that names the member and says how to put it right. It
   * never quotes the text, so that nothing secret or injected travels in an answer or a log.
   */
  readonly find: (parts: readonly TextPart[]) => string | null
}

/** Asks about each text by itself; the first reason counts. */
export function inEachPart(find: (part: TextPart) => string | null): Rule['find'] {
  return (parts) => {
    for (const part of parts) {
      const reason = find(part)
      if (reason !== null) return reason
    }
    return null
  }
}
