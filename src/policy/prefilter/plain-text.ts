import { findLinks } from '../../contract/text/links.ts'
import { findHiddenCharacter } from '../../contract/text/text.ts'
import { inEachPart, type Rule } from './rule.ts'
import { withoutLinks, withoutTopics, wordsOf } from './words.ts'

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

/**
 * Validation refuses these in posts already; a caller that validates less is covered here. They can hide instructions,
 * but nearly all of those in public data came along with a copied text, so the rule accuses nobody of an attack.
 */
export const hiddenCharacter: Rule = {
  id: 'hidden_character',
  category: 'low_quality',
  summary: 'Characters that people cannot see and models can, outside the scripts and emoji that need them.',
  find: inEachPart(({ field, text }) => {
    const hidden = findHiddenCharacter(text)
    if (hidden === null) return null
    const { name, codePoint, position } = hidden
    return `\`${field}\` holds ${name} (${codePoint}) at position ${position}, which readers cannot see. Remove it.`
  }),
}

export const moreLinksThanWords: Rule = {
  id: 'more_links_than_words',
  category: 'low_quality',
  summary:
    'More links than words around them, over all texts of the post but its topics. One link with one word passes.',
  find(parts) {
    const counts = parts.map(({ field, text }) => ({ field, links: findLinks(text).length }))
    const links = counts.reduce((sum, count) => sum + count.links, 0)
    if (links === 0) return null
    const words = withoutTopics(parts).reduce((sum, { text }) => sum + wordsOf(withoutLinks(text)).length, 0)
    if (words >= links) return null
    const field = counts.find((count) => count.links > 0)?.field
    return `\`${field}\` has more links than words. Say what a reader finds behind each link.`
  },
}
