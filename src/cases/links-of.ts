import { findLinks } from '../contract/links.ts'
import type { TextPart } from '../contract/text-part.ts'

type ShownLink = {
  url: string
  /** Where it leads, in the letters that name servers know: a name that only looks like another is seen here. */
  host: string
}

/** Every link of a post once, in the order of reading. */
export function linksOf(texts: readonly TextPart[]): ShownLink[] {
  const urls = new Set(texts.flatMap(({ text }) => findLinks(text)))
  return [...urls].map((url) => ({
    url,
    host: URL.canParse(url) ? new URL(url).host : 'an address that leads nowhere',
  }))
}
