import { findLinks } from '../../contract/text/links.ts'
import { type Html, html } from '../../markup/html.ts'

/** A user's text as paragraphs with clickable links. Each paragraph has the direction of its script. */
export function prose(text: string): Html {
  return paragraphsOf(text)
    .map((paragraph) => html`<p dir="auto" lang="">!${linked(paragraph)}</p>`)
    .join('\n')
}

const paragraphsOf = (text: string) => text.trim().split(/\n(?:[^\S\n]*\n)+/)

/** Text with clickable links and preserved line breaks. Search engines must not follow users' links. */
function linked(text: string): Html {
  const parts: Html[] = []
  let end = 0
  for (const link of findLinks(text)) {
    const start = text.indexOf(link, end)
    parts.push(html`${text.slice(end, start)}<a href="${link}" rel="ugc nofollow noopener">${link}</a>`)
    end = start + link.length
  }
  parts.push(html`${text.slice(end)}`)
  // Links contain no line breaks, so this does not change them.
  return parts.join('').replaceAll('\n', '<br>\n')
}
