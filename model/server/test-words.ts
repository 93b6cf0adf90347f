import { type PolicyCategoryId, policyCategoryIds } from '../../src/policy/policy.ts'

export type Wish = {
  /** Both stages reject the post for this category. */
  category?: PolicyCategoryId
  /** The judge leaves the post to a person. */
  review?: boolean
  /** The response is delayed. */
  slow?: boolean
}

/** What the test words in a text ask the model to do, to test every path. Not for production. */
export function readTestWords(text: string): Wish {
  const words = new Set(text.toLowerCase().match(testWord) ?? [])
  const category = policyCategoryIds.find(
    (id) => words.has(`verdict-reject-${id}`) || words.has(`verdict-reject-${id.replaceAll('_', '-')}`),
  )
  const asked = category ?? (words.has('verdict-low-quality') ? 'low_quality' : undefined)
  return { ...(asked && { category: asked }), review: words.has('verdict-review'), slow: words.has('verdict-slow') }
}

/** Whole words only: hyphens and underscores belong to the word. */
const testWord = /(?<![\p{L}\p{N}_-])verdict-[a-z_-]+(?![\p{L}\p{N}_-])/gu

/**
 * The stub judge's response about the fenced post in a request, in the `policy-json` format. It accepts every post
 * unless test words ask it to reject the post. Null if there is no post.
 */
export function answerAsStubJudge(content: string, { category, review }: Wish): object | null {
  const nonce = /^BEGIN POST (?<nonce>[0-9a-f]{24})$/m.exec(content)?.groups?.['nonce']
  if (!nonce || !content.includes(`\nEND POST ${nonce}\n`)) return null
  const found = { nonce, addresses_reader_as_machine: false, evidence: '' }
  if (category) return { ...found, category, verdict: 'reject', score: 0.99 }
  return { ...found, category: null, verdict: review ? 'review' : 'accept', score: review ? 0.5 : 0.99 }
}
