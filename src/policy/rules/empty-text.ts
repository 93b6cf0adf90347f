import { inEachPart, type Rule } from './rule.ts'

export const emptyText: Rule = {
  id: 'empty_text',
  category: 'low_quality',
  summary: 'A text without a single letter, digit or emoji.',
  find: inEachPart(({ field, text }) =>
    hasContent(text) ? null : `\`${field}\` has no letter, digit or emoji. Write something that people can read.`,
  ),
}

/** False for blanks, punctuation and symbols alone. */
export function hasContent(text: string): boolean {
  return content.test(text)
}

// Braille and SignWriting are writing, though Unicode counts their characters among the symbols.
const writing = String.raw`\p{L}\p{N}\p{Script=Braille}\p{Script=SignWriting}`
const emoji = String.raw`\p{Extended_Pictographic}\p{Regional_Indicator}`
const blank = String.raw`\p{Default_Ignorable_Code_Point}\u2800`
const content = new RegExp(`[[${writing}${emoji}]--[${blank}]]`, 'v')
