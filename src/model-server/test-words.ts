import { type PolicyCategoryId, policyCategoryIds } from '../policy/policy.ts'

export type Wish = {
  /** Both stages refuse the post for this. */
  category?: PolicyCategoryId
  /** The judge leaves the post to a person. */
  review?: boolean
  /** The answer comes late. */
  slow?: boolean
}

/** What the words in a text ask the model to do, so that every path can be tried on purpose. Not for production. */
export function readTestWords(text: string): Wish {
  const words = new Set(text.toLowerCase().match(testWord) ?? [])
  const category = policyCategoryIds.find(
    (id) => words.has(`verdict-reject-${id}`) || words.has(`verdict-reject-${id.replaceAll('_', '-')}`),
  )
  const asked = category ?? (words.has('verdict-low-quality') ? 'low_quality' : undefined)
  return { ...(asked && { category: asked }), review: words.has('verdict-review'), slow: words.has('verdict-slow') }
}

/** Whole words only: a hyphen or an underscore belongs to the word. */
const testWord = /(?<![\p{L}\p{N}_-])verdict-[a-z_-]+(?![\p{L}\p{N}_-])/gu
