import { licenseRecord } from '../../contract/post-license.ts'
import type { PublicPost } from '../../kinds/presentation/presentation.ts'
import { untrustedLabel, untrustedNotice } from '../user-content-notice.ts'
import type { SiteView } from '../views.ts'
import { type FeedView, factsLine, feedPageUrl, listingTitle, pageUrl, topicsOf } from './feed-fields.ts'

/**
 * The posts of a listing or of one of its pages as JSON Feed 1.1. Their text is plain: readers must not interpret it as
 * HTML.
 */
export function jsonFeed(site: SiteView, view: FeedView): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title: listingTitle(site, view),
    description: `${site.kind.site.tagline} ${untrustedNotice}`,
    home_page_url: feedPageUrl(site, view),
    feed_url: `${feedPageUrl(site, view)}index.json`,
    ...(view.older !== null && { next_url: `${pageUrl(site, view, view.older)}index.json` }),
    language: 'en',
    _broadside: {
      about: `${site.baseUrl}/docs/feeds/`,
      content_trust: untrustedLabel,
      license: licenseRecord,
    },
    items: view.newest.map((post) => item(site, post)),
  })
}

function item({ kind }: SiteView, post: PublicPost) {
  const { headline, hasTitle, text, facts } = kind.presentation
  const summary = factsLine(facts(post.content))
  return {
    id: post.url,
    url: post.url,
    ...(hasTitle && { title: headline(post.content) }),
    content_text: text(post.content),
    ...(summary && { summary }),
    date_published: post.published_at,
    ...(post.edited_at && { date_modified: post.edited_at }),
    authors: [{ name: post.content.author.name, ...(post.author_domain && { url: `https://${post.author_domain}/` }) }],
    tags: topicsOf(kind, post),
    _broadside: {
      content_trust: post.content_trust,
      license: post.license,
      json_url: post.json_url,
      author_domain: post.author_domain,
    },
  }
}
