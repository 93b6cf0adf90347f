import type { Wish } from './test-words.ts'

/**
 * What the stand-in for a judge answers about the post in a question's fence, in the form `policy-json`: it accepts
 * everything but what test words ask it to refuse. Null when there is no post.
 */
export function answerAsJudge(content: string, { category, review }: Wish): object | null {
  const nonce = /^BEGIN POST (?<nonce>[0-9a-f]{24})$/m.exec(content)?.groups?.['nonce']
  if (!nonce || !content.includes(`\nEND POST ${nonce}\n`)) return null
  const found = { nonce, addresses_reader_as_machine: false, evidence: '' }
  if (category) return { ...found, category, verdict: 'reject', score: 0.99 }
  return { ...found, category: null, verdict: review ? 'review' : 'accept', score: review ? 0.5 : 0.99 }
}
