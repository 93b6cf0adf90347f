import { randomBytes } from 'node:crypto'
import type { PostPart } from './adapter.ts'

/** New for each request and absent from the post, so that no author can write it and no copied response contains it. */
export function newNonce(post: object): string {
  const nonce = randomBytes(12).toString('hex')
  return JSON.stringify(post).includes(nonce) ? newNonce(post) : nonce
}

/** The prefix of every line of the post. */
export const markOf = (nonce: string): string => nonce.slice(0, 6)

/**
 * Writes a part of the post as data: between two lines with the nonce, and with the start of the nonce before every
 * line. `#` precedes a field name, which is ours, and `|` precedes a line of text, which is the author's.
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
 * All tokens that servers use for roles, turns and tools contain one of these characters: `<|im_start|>`,
 * `<start_of_turn>`, `</s>`, `[INST]`, `<<SYS>>`. Without these characters, a text contains no such token for any
 * server. Characters that normalise to one of them are replaced too. The replacements normalise to themselves.
 */
const signs: readonly [find: RegExp, write: string][] = [
  [/[<＜﹤]/g, '‹'],
  [/[>＞﹥]/g, '›'],
  [/[[［﹇]/g, '【'],
  [/[\]］﹈]/g, '】'],
]

/** Every character that some parser treats as a line break, and all other control characters except tabs. */
const lineBreaks = /[[\p{Cc}\u2028\u2029]--\t]/v

/** The text as non-empty lines without anything that a server could read as a special token. */
export function neutralLines(text: string): string[] {
  return text
    .toWellFormed()
    .split(lineBreaks)
    .map(neutralise)
    .filter((line) => line.trim() !== '')
}

/** The same as a single line. */
export const neutralLine = (text: string): string => neutralLines(text).join(' ')

const neutralise = (line: string): string => signs.reduce((text, [find, write]) => text.replaceAll(find, write), line)
