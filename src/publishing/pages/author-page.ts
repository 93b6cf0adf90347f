import { authorMark } from '../../kinds/presentation/author-mark.ts'
import { domainMark } from '../../kinds/presentation/byline.ts'
import { longDate, longMonth } from '../../kinds/presentation/dates.ts'
import type { PublicPost } from '../../kinds/presentation/presentation.ts'
import { type Html, html } from '../../markup/html.ts'
import { topicsOf } from '../feeds/feed-fields.ts'
import { feedsOf, layout } from '../page-frame.ts'
import { untrustedLabel } from '../user-content-notice.ts'
import type { AuthorView, FamilyMember, SiteView } from '../views.ts'
import { listingEntries } from './listing-parts.ts'

/** The page of an author: the posts on this site, then the latest ones on the other sites. */
export function authorPage(site: SiteView, view: AuthorView): Html {
  const { name, listing, elsewhere } = view
  const { path } = listing
  return layout(site, {
    path: `${path}/`,
    title: `Posts by ${name}`,
    description: `${facts(site, view).join(', ')} on Broadside.`,
    alternates: feedsOf(site, path),
    isUserContent: true,
    content: html`<div class="page-head author-head">
!${authorMark(view.id)}
<h1 dir="auto" lang="" data-content-trust="${untrustedLabel}">${name}</h1>
<ul class="author-facts">!${facts(site, view).map((fact) => html`<li>${fact}</li>`)}!${view.domain ? html`<li>!${domainMark(view.domain)}</li>` : ''}</ul>
!${topicLinks(site, listing.newest)}
</div>
<div class="columns">
!${listing.standingCount > 0 ? listingEntries(site, listing) : html`<section class="list"><p class="empty">This author has no ${site.kind.site.plural} here.</p></section>`}
!${elsewhere.length > 0 ? html`<aside class="browse elsewhere" aria-label="Posts on other sites">!${elsewhere.map((other) => otherSite(other, path))}</aside>` : ''}
</div>`,
  })
}

/** `Since November 2026`, `41 messages`, `3 stories`, `0 removed` */
function facts(site: SiteView, { since, removedCount, listing, elsewhere }: AuthorView): string[] {
  const here = { site: { definition: site.kind }, standingCount: listing.standingCount }
  return [
    `Since ${longMonth(since.slice(0, 7))}`,
    ...[here, ...elsewhere]
      .filter(({ standingCount }) => standingCount > 0)
      .map(({ site: { definition }, standingCount }) => counted(standingCount, definition.site)),
    `${removedCount.toLocaleString('en')} removed`,
  ]
}

const counted = (count: number, { noun, plural }: { noun: string; plural: string }) =>
  `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`

const topicsShown = 12

/** The topics of the newest posts, the most frequent first. */
function topicLinks({ kind }: SiteView, posts: readonly PublicPost[]): Html {
  const topics = Map.groupBy(
    posts.flatMap((post) => topicsOf(kind, post)),
    (topic) => topic,
  )
  const frequent = [...topics].toSorted(([, some], [, others]) => others.length - some.length).slice(0, topicsShown)
  return frequent.length === 0
    ? ''
    : html`<ul class="topics" aria-label="Topics">!${frequent.map(([topic]) => html`<li><a href="/topics/${topic}/">${topic}</a></li>`)}</ul>`
}

/** The day of an event, the price of an ad, or else when the post was published. */
function detailOf({ definition }: FamilyMember, { content, published_at }: PublicPost): string {
  const { price, day } = definition.presentation.card?.(content) ?? {}
  return price ?? longDate(day ?? published_at)
}

const otherSite = ({ site, standingCount, posts }: AuthorView['elsewhere'][number], path: string): Html =>
  html`<section>
<h2><a href="${site.baseUrl}/${path}/">${site.title}</a></h2>
<ul class="headlines">!${posts.map((post) => html`<li data-content-trust="${post.content_trust}"><a href="${post.url}" dir="auto" lang="">${site.definition.presentation.headline(post.content)}</a> <span class="count">${detailOf(site, post)}</span></li>`)}</ul>
<p><a href="${site.baseUrl}/${path}/">All ${counted(standingCount, site.definition.site)}</a></p>
</section>`
