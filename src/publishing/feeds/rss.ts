import { postLicense } from '../../contract/post-license.ts'
import type { PublicPost } from '../../kinds/presentation/presentation.ts'
import { type Html, html } from '../../markup/html.ts'
import { type Xml, xml, xmlDocument } from '../../markup/xml.ts'
import { untrustedNotice } from '../user-content-notice.ts'
import type { SiteView } from '../views.ts'
import { changedAt, type FeedView, feedPageUrl, listingTitle, listingUrl, pageUrl, topicsOf } from './feed-fields.ts'

/** Feeds update within seconds, but polling more often than this gains little. */
const minutesBetweenReads = 15

/** The posts of a listing or of one of its pages as RSS 2.0. RFC 5005 defines the links to older posts. */
export function rss(site: SiteView, view: FeedView): string {
  const url = feedPageUrl(site, view)
  return xmlDocument(xml`<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:fh="http://purl.org/syndication/history/1.0" xmlns:creativeCommons="http://backend.userland.com/creativeCommonsRssModule">
<channel>
<title>${listingTitle(site, view)}</title>
<link>${url}</link>
<description>${site.kind.site.tagline} ${untrustedNotice}</description>
<language>en</language>
<copyright>Posts belong to their authors and are licensed under ${postLicense.name}.</copyright>
<creativeCommons:license>${postLicense.url}</creativeCommons:license>
${lastBuildDate(view.newest)}<docs>https://www.rssboard.org/rss-specification</docs>
<generator>Broadside</generator>
<ttl>${minutesBetweenReads}</ttl>
<atom:link rel="self" type="application/rss+xml" href="${url}feed.xml"/>
${onward(site, view)}${view.newest.map((post) => item(site, post))}</channel>
</rss>`)
}

/** A full page never gets new posts, so it is an archive document of the feed. */
function onward(site: SiteView, view: FeedView): readonly Xml[] {
  const { page, older, newer } = view
  const link = (rel: string, url: string) =>
    xml`<atom:link rel="${rel}" type="application/rss+xml" href="${url}feed.xml"/>\n`
  return [
    ...(older === null ? [] : [link('prev-archive', pageUrl(site, view, older))]),
    ...(newer === null ? [] : [link('next-archive', pageUrl(site, view, newer))]),
    ...(page === null ? [] : [link('current', listingUrl(site, view)), xml`<fh:archive/>\n`]),
  ]
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
${authorSite(post)}${topicsOf(kind, post).map((topic) => xml`<category>${topic}</category>\n`)}<creativeCommons:license>${post.license.url}</creativeCommons:license>
<description>${description(kind.presentation, post)}</description>
</item>
`
}

/** The verified domain is an element of its own: the name of an author could contain any other. */
const authorSite = ({ author_domain: domain, content }: PublicPost): readonly Xml[] =>
  domain === null
    ? []
    : [
        xml`<atom:author><atom:name>${content.author.name}</atom:name><atom:uri>https://${domain}/</atom:uri></atom:author>\n`,
      ]

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
