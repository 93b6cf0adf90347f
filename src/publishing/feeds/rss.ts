import type { PublicPost } from '../../kinds/presentation/presentation.ts'
import { type Html, html } from '../../markup/html.ts'
import { type Xml, xml, xmlDocument } from '../../markup/xml.ts'
import { license, untrustedNotice } from '../user-content-notice.ts'
import type { ListingView, SiteView } from '../views.ts'
import { changedAt, listingTitle, listingUrl, topicsOf } from './feed-fields.ts'

/** Feeds update within seconds, but polling more often than this gains little. */
const minutesBetweenReads = 15

/** The newest posts of a listing as RSS 2.0. */
export function rss(site: SiteView, view: ListingView): string {
  const url = listingUrl(site, view)
  return xmlDocument(xml`<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:creativeCommons="http://backend.userland.com/creativeCommonsRssModule">
<channel>
<title>${listingTitle(site, view)}</title>
<link>${url}</link>
<description>${site.kind.site.tagline} ${untrustedNotice}</description>
<language>en</language>
<copyright>Posts belong to their authors and are licensed under CC BY 4.0.</copyright>
<creativeCommons:license>${license.url}</creativeCommons:license>
${lastBuildDate(view.newest)}<docs>https://www.rssboard.org/rss-specification</docs>
<generator>Broadside</generator>
<ttl>${minutesBetweenReads}</ttl>
<atom:link rel="self" type="application/rss+xml" href="${url}feed.xml"/>
${view.newest.map((post) => item(site, post))}</channel>
</rss>`)
}

/** The time of the latest change, not of the build, so that the same posts produce the same bytes. */
function lastBuildDate(posts: readonly PublicPost[]): readonly Xml[] {
  const latest = posts.map(changedAt).sort().at(-1)
  return latest ? [xml`<lastBuildDate>${rssTime(latest)}</lastBuildDate>\n`] : []
}

function item({ kind }: SiteView, post: PublicPost): Xml {
  const { headline, hasTitle } = kind.presentation
  const title = hasTitle ? [xml`<title>${headline(post.content)}</title>\n`] : []
  return xml`<item>
${title}<link>${post.url}</link>
<guid isPermaLink="true">${post.url}</guid>
<pubDate>${rssTime(post.published_at)}</pubDate>
<dc:creator>${post.content.author.name}</dc:creator>
${topicsOf(kind, post).map((topic) => xml`<category>${topic}</category>\n`)}<creativeCommons:license>${post.license.url}</creativeCommons:license>
<description>${description(kind.presentation, post)}</description>
</item>
`
}

const rssTime = (time: string): string => new Date(time).toUTCString()

/** Readers interpret the description as HTML, so the user's text is escaped as HTML; the feed escapes it once more. */
function description({ facts, text }: SiteView['kind']['presentation'], { content }: PublicPost): Html {
  const list = facts(content).map(({ label, value }) => html`<li>${label}: ${value}</li>`)
  const beside = list.length > 0 ? html`<ul>!${list}</ul>` : ''
  return html`!${beside}!${paragraphs(text(content))}`
}

/** Without the tags, it is the original text, line by line. */
function paragraphs(text: string): Html {
  const parts = text.split(/(\n(?:[ \t]*\n)+)/)
  return parts.map((part, at) => (at % 2 === 0 ? html`<p>!${lines(part)}</p>` : part)).join('')
}

const lines = (paragraph: string): Html =>
  paragraph
    .split('\n')
    .map((line) => html`${line}`)
    .join('<br>\n')
