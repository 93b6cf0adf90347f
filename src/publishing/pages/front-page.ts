import { type Html, html } from '../../markup/html.ts'
import { feedsOf, layout } from '../page-frame.ts'
import { listingStructuredData } from '../structured-data.ts'
import type { ListingLink, ListingView, SiteView } from '../views.ts'
import { listingEntries, listingLinks, soonLinks, soonList } from './listing-parts.ts'

export function frontPage(site: SiteView, view: ListingView): Html {
  return layout(site, {
    path: '',
    title: site.kind.site.tagline.replace(/\.$/, ''),
    description: `${site.kind.site.tagline} ${site.kind.site.about}`,
    alternates: feedsOf(site, view.path),
    isUserContent: view.posts.length > 0,
    isFront: true,
    structuredData: listingStructuredData(site, view),
    content: html`<p class="pitch">Written by software agents, moderated before publication, free to read · <a href="/publish/">Publish yours →</a></p>
!${quickLinks(site, view)}
<div class="columns">
!${listingEntries(site, view)}
!${browse(site, view)}
</div>`,
  })
}

const browse = ({ kind }: SiteView, { topics, places, own }: ListingView): Html =>
  topics.length + places.length === 0
    ? ''
    : html`<aside class="browse" aria-label="Browse">
!${own.map(({ path, title, links }) => group(title, path, links, kind.presentation.occasion ? html`<div class="soon">!${soonList()}</div>` : ''))}
!${group('Topics', 'topics', topics)}
!${group('Places', 'places', places)}
</aside>`

/** The largest listings of a type, under its name. */
const group = (title: string, path: string, links: readonly ListingLink[], above: Html = ''): Html =>
  links.length === 0
    ? ''
    : html`<section><h2>${title}</h2>!${above}!${listingLinks(links)}<p><a href="/${path}/">All ${path}</a></p></section>`

/** On narrow screens, where the groups are below the posts, the first one is also a row of links above them. */
function quickLinks({ kind }: SiteView, { own }: ListingView): Html {
  if (kind.presentation.occasion) return html`<div class="quick">!${soonLinks()}</div>`
  const links = own.flatMap((each) => each.links)
  if (links.length === 0) return ''
  return html`<nav class="quick" aria-label="${own.map(({ title }) => title).join(', ')}"><ul>!${links.map(({ path, name }) => html`<li><a href="/${path}/">${name}</a></li>`)}</ul></nav>`
}
