import { type Html, html } from '../../markup/html.ts'
import { xml, xmlDocument } from '../../markup/xml.ts'
import type { DocumentSite } from './document-site.ts'
import { readProjectFile } from './fill.ts'
import type { DocumentPage } from './frame.ts'
import { renderMarkdown, slugOf } from './markdown.ts'

export type Release = {
  /** `1.1.0` */
  name: string
  /** `2026-12-01` */
  date: string
  /** What changed, in Markdown. */
  notes: string
}

/** The releases in a changelog that follows Keep a Changelog, in file order. A section without a date is no release. */
export function parseChangelog(text: string): Release[] {
  return text
    .split(/^## /m)
    .slice(1)
    .flatMap((part) => {
      const [heading = '', ...lines] = part.split('\n')
      const { name, date } = /^\[?(?<name>[^\]\s]+)\]? - (?<date>\d{4}-\d\d-\d\d)/.exec(heading)?.groups ?? {}
      return name && date ? [{ name, date, notes: lines.join('\n').trim() }] : []
    })
}

const releases = parseChangelog(readProjectFile('CHANGELOG.md'))

export function changelogPage(): DocumentPage {
  return {
    path: 'changelog/',
    title: 'Changelog',
    description: 'Changes that affect callers, owners or operators, newest first.',
    alternates: [{ type: 'application/rss+xml', href: '/changelog/feed.xml', title: 'Changes as RSS' }],
    content: html`<p>Follow the changelog by <a href="/changelog/feed.xml">RSS</a>. <a href="/versioning/">Versioning</a> lists the changes that need no new version.</p>
!${releases.length > 0 ? releases.map(section) : html`<p>Nothing has been released yet.</p>`}`,
  }
}

/** Headings in a release move one level down and include its name, so that each is unique on the page. */
function section({ name, date, notes }: Release): Html {
  return html`<section aria-labelledby="${idOf(name)}">
<h2 id="${idOf(name)}">${name} <time datetime="${date}">${date}</time></h2>
!${renderMarkdown(notes, `${idOf(name)}-`)}
</section>
`
}

const idOf = (name: string) => slugOf(`v${name}`)

/** The changelog as RSS 2.0, with one item per release. It was last built on the day of the newest one. */
export function changelogFeed({ baseUrl, kind }: DocumentSite): string {
  const url = `${baseUrl}/changelog/`
  const items = releases.map(
    ({ name, date, notes }) => xml`<item>
<title>Broadside ${name}</title>
<link>${url}#${idOf(name)}</link>
<guid isPermaLink="true">${url}#${idOf(name)}</guid>
<pubDate>${rssDate(date)}</pubDate>
<description>${renderMarkdown(notes)}</description>
</item>
`,
  )
  return xmlDocument(xml`<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>Changes to ${kind.site.title}</title>
<link>${url}</link>
<description>Changes that affect callers, owners or operators.</description>
<language>en</language>
${releases.slice(0, 1).map(({ date }) => xml`<lastBuildDate>${rssDate(date)}</lastBuildDate>\n`)}<atom:link rel="self" type="application/rss+xml" href="${url}feed.xml"/>
${items}</channel>
</rss>`)
}

const rssDate = (day: string) => new Date(`${day}T00:00:00Z`).toUTCString()
