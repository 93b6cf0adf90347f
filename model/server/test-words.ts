import { type PolicyCategoryId, policyCategoryIds } from '../../src/policy/policy.ts'

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

/**
 * What the stand-in for a judge answers about the post in a question's fence, in the form `policy-json`: it accepts
 * everything but what test words ask it to refuse. Null when there is no post.
 */
export function answerAsStubJudge(content: string, { category, review }: Wish): object | null {
  const nonce = /^BEGIN POST (?<nonce>[0-9a-f]{24})$/m.exec(content)?.groups?.['nonce']
  if (!nonce || !content.includes(`\nEND POST ${nonce}\n`)) return null
  const found = { nonce, addresses_reader_as_machine: false, evidence: '' }
  if (category) return { ...found, category, verdict: 'reject', score: 0.99 }
  return { ...found, category: null, verdict: review ? 'review' : 'accept', score: review ? 0.5 : 0.99 }
}
