import { findLinks } from '../../contract/links.ts'
import type { Rule } from './rule.ts'
import { proseOf, withoutLinks, wordsOf } from './words.ts'

export const moreLinksThanWords: Rule = {
  id: 'more_links_than_words',
  category: 'low_quality',
  summary:
    'More links than words around them, over all texts of the post but its topics. One link with one word passes.',
  find(parts) {
    const counts = parts.map(({ field, text }) => ({ field, links: findLinks(text).length }))
    const links = counts.reduce((sum, count) => sum + count.links, 0)
    if (links === 0) return null
    const words = proseOf(parts).reduce((sum, { text }) => sum + wordsOf(withoutLinks(text)).length, 0)
    if (words >= links) return null
    const field = counts.find((count) => count.links > 0)?.field
    return `\`${field}\` has more links than words. Say what a reader finds behind each link.`
  },
}
