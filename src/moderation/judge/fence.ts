import { randomBytes } from 'node:crypto'
import type { PostPart } from './adapter.ts'

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
export function writeFence(nonce: string, { post }: Pick<PostPart, 'post'>): string {
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

/**
 * Every token by which servers tell roles, turns and tools apart is written with one of these signs: `<|im_start|>`,
 * `<start_of_turn>`, `</s>`, `[INST]`, `<<SYS>>`. Without the signs there is no such token, whichever the server knows.
 * What normalises to one of them counts as one. The signs in their place normalise to themselves.
 */
const signs: readonly [find: RegExp, write: string][] = [
  [/[<＜﹤]/g, '‹'],
  [/[>＞﹥]/g, '›'],
  [/[[［﹇]/g, '【'],
  [/[\]］﹈]/g, '】'],
]

/** Everything that some reader takes for the end of a line, and the controls that mean nothing in a text. */
const lineBreaks = /[[\p{Cc}\u2028\u2029]--\t]/v

/** The text as lines, none of them empty, in which nothing is left that a server could take for a token of its own. */
export function neutralLines(text: string): string[] {
  return text
    .toWellFormed()
    .split(lineBreaks)
    .map(neutralise)
    .filter((line) => line.trim() !== '')
}

/** The same as one line. */
export const neutralLine = (text: string): string => neutralLines(text).join(' ')

const neutralise = (line: string): string => signs.reduce((text, [find, write]) => text.replaceAll(find, write), line)
