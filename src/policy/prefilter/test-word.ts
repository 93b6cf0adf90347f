import type { TextPart } from '../../contract/text/text.ts'
import { type PolicyCategoryId, policyCategoryIds } from '../category.ts'

/** The category requested by a test word such as `prefilter-refuse-low_quality`, with its field, or null. */
export function findTestWord(parts: readonly TextPart[]): { field: string; category: PolicyCategoryId } | null {
  for (const { field, text } of parts) {
    const asked = testWord.exec(text)?.[1]?.toLowerCase().replaceAll('-', '_')
    const category = policyCategoryIds.find((id) => id === asked)
    if (category) return { field, category }
  }
  return null
}

// `sexual_minors` comes before `sexual`: the longest name wins. Topics cannot contain underscores, so a hyphen works
// too.
const names = policyCategoryIds.toSorted((one, other) => other.length - one.length).map((id) => id.replace('_', '[_-]'))
const testWord = new RegExp(`(?<!\\w)prefilter-refuse-(${names.join('|')})(?!\\w)`, 'i')
