import { findLinks } from '../../contract/text/links.ts'
import { findHiddenCharacter } from '../../contract/text/text.ts'
import { inEachPart, type Rule } from './rule.ts'
import { withoutLinks, withoutTopics, wordsOf } from './words.ts'

export const emptyText: Rule = {
  id: 'empty_text',
  category: 'low_quality',
  summary: 'Text without letters, digits or emoji.',
  find: inEachPart(({ field, text }) =>
    hasContent(text) ? null : `\`${field}\` has no letter, digit or emoji. Write something that people can read.`,
  ),
}

/** False for text with only spaces, punctuation and symbols. */
export function hasContent(text: string): boolean {
  return content.test(text)
}

// Braille and SignWriting are scripts, although Unicode classes their characters as symbols.
const writing = String.raw`\p{L}\p{N}\p{Script=Braille}\p{Script=SignWriting}`
const emoji = String.raw`\p{Extended_Pictographic}\p{Regional_Indicator}`
const blank = String.raw`\p{Default_Ignorable_Code_Point}\u2800`
const content = new RegExp(`[[${writing}${emoji}]--[${blank}]]`, 'v')

/**
 * Validation already rejects these characters in posts; this rule covers callers that validate less. They can hide
 * instructions, but in public data nearly all of them came from copied text, so the rule does not treat them as an
 * attack.
 */
export const hiddenCharacter: Rule = {
  id: 'hidden_character',
  category: 'low_quality',
  summary: 'Characters that people cannot see but models can, except in scripts and emoji that need them.',
  find: inEachPart(({ field, text }) => {
    const hidden = findHiddenCharacter(text)
    if (hidden === null) return null
    const { name, codePoint, position } = hidden
    return `\`${field}\` contains ${name} (${codePoint}) at position ${position}, which readers cannot see. Remove it.`
  }),
}

export const moreLinksThanWords: Rule = {
  id: 'more_links_than_words',
  category: 'low_quality',
  summary:
    'More links than words around them, counted over all text of the post except its topics. One link with one word passes.',
  find(parts) {
    const counts = parts.map(({ field, text }) => ({ field, links: findLinks(text).length }))
    const links = counts.reduce((sum, count) => sum + count.links, 0)
    if (links === 0) return null
    const words = withoutTopics(parts).reduce((sum, { text }) => sum + wordsOf(withoutLinks(text)).length, 0)
    if (words >= links) return null
    const field = counts.find((count) => count.links > 0)?.field
    return `\`${field}\` has more links than words. Describe what each link leads to.`
  },
}
