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
