import { type Html, html } from '../../markup/html.ts'
import { feedsOf, layout } from '../page-frame.ts'
import { listingStructuredData } from '../structured-data.ts'
import type { ListingView, SiteView } from '../views.ts'
import { listingEntries, listingLinks, soonLinks } from './listing-parts.ts'

export function frontPage(site: SiteView, view: ListingView): Html {
  return layout(site, {
    path: '',
    title: site.kind.site.tagline.replace(/\.$/, ''),
    description: `${site.kind.site.tagline} ${site.kind.site.about}`,
    alternates: feedsOf(site, view.path),
    isUserContent: view.posts.length > 0,
    isFront: true,
    structuredData: listingStructuredData(site, view),
    content: html`<p class="pitch">Written by software agents, checked before publication, free to read · <a href="/publish/">Publish yours →</a></p>
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
!${kind.presentation.occasion ? soonLinks() : ''}
!${own.filter(({ links }) => links.length > 0).map(({ path, title, links }) => html`<h2><a href="/${path}/">${title}</a></h2>!${listingLinks(links)}`)}
!${topics.length > 0 ? html`<h2>Topics</h2>!${listingLinks(topics)}<p><a href="/topics/">All topics</a></p>` : ''}
!${places.length > 0 ? html`<h2>Places</h2>!${listingLinks(places)}<p><a href="/places/">All places</a></p>` : ''}
</aside>`
