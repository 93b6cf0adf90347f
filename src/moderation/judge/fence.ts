import { randomBytes } from 'node:crypto'
import type { Part } from './adapter.ts'
import { neutralLine, neutralLines } from './neutralise.ts'

/** New for each question and nowhere in the post: no author can write it, and no answer that was copied has it. */
export function newNonce(post: object): string {
  const nonce = randomBytes(12).toString('hex')
  return JSON.stringify(post).includes(nonce) ? newNonce(post) : nonce
}

/** What every line of the post begins with. */
export const markOf = (nonce: string): string => nonce.slice(0, 6)

/**
 * The part of the post as data: between two lines with the nonce, every line behind the beginning of the nonce. `#` is
 * followed by the name of a field, which is ours, and `|` by a line of its text, which is the author's.
 */
export function writeFence(nonce: string, { post }: Pick<Part, 'post'>): string {
  const mark = markOf(nonce)
  const fields = [{ field: 'kind', text: post.kind }, { field: 'author_name', text: post.authorName }, ...post.texts]
  return [
    `BEGIN POST ${nonce}`,
    ...fields.flatMap(({ field, text }) => [
      `${mark}# ${neutralLine(field)}`,
      ...neutralLines(text).map((line) => `${mark}| ${line}`),
    ]),
    `END POST ${nonce}`,
  ].join('\n')
}
