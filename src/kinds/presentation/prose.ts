import { findLinks } from '../../contract/text/links.ts'
import { type Html, html } from '../../markup/html.ts'

/** A user's text as paragraphs, each in the direction of its script, with clickable links. */
export function prose(text: string): Html {
  return paragraphsOf(text)
    .map((paragraph) => html`<p dir="auto" lang="">!${linked(paragraph)}</p>`)
    .join('\n')
}

const paragraphsOf = (text: string) => text.trim().split(/\n(?:[^\S\n]*\n)+/)

/** Text with clickable links and preserved line breaks. Users' links carry no weight with search engines. */
function linked(text: string): Html {
  const parts: Html[] = []
  let end = 0
  for (const link of findLinks(text)) {
    const start = text.indexOf(link, end)
    parts.push(html`${text.slice(end, start)}<a href="${link}" rel="ugc nofollow noopener">${link}</a>`)
    end = start + link.length
  }
  parts.push(html`${text.slice(end)}`)
  // Links contain no white space, so all of them are found in the text.
  return parts.join('').replaceAll('\n', '<br>\n')
}
