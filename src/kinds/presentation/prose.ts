import { findLinks } from '../../contract/text/links.ts'
import { type Html, html } from '../../markup/html.ts'

/** A user's text as paragraphs, each in the direction of its own script, with its links to be followed. */
export function prose(text: string): Html {
  return paragraphsOf(text)
    .map((paragraph) => html`<p dir="auto" lang="">!${linked(paragraph)}</p>`)
    .join('\n')
}

const paragraphsOf = (text: string) => text.trim().split(/\n(?:[^\S\n]*\n)+/)

/** Text whose links can be followed and whose lines stay lines. Links of users earn nothing with search engines. */
function linked(text: string): Html {
  const parts: Html[] = []
  let end = 0
  for (const link of findLinks(text)) {
    const start = text.indexOf(link, end)
    parts.push(html`${text.slice(end, start)}<a href="${link}" rel="ugc nofollow noopener">${link}</a>`)
    end = start + link.length
  }
  parts.push(html`${text.slice(end)}`)
  // No link holds white space, so these are all in the text.
  return parts.join('').replaceAll('\n', '<br>\n')
}
