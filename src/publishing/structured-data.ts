import { postLicense } from '../contract/post-license.ts'
import { workOf } from '../kinds/presentation/schema-org.ts'
import type { Html } from '../markup/html.ts'
import { jsonInHtml } from '../markup/json-in-html.ts'
import { listingTitle, listingUrl } from './feeds/feed-fields.ts'
import { untrustedLabel } from './user-content-notice.ts'
import type { ListingView, PostView, SiteView } from './views.ts'

/**
 * A post as JSON-LD, escaped for a script element. A WebPage wraps it, because an offer and an event have no property
 * for a licence or an author, and a page has both.
 */
export function postStructuredData(site: SiteView, { post }: PostView): Html {
  const { presentation } = site.kind
  return jsonInHtml({
    '@context': 'https://schema.org',
    '@type': 'WebPage',
    url: post.url,
    name: presentation.headline(post.content),
    ...workOf(post),
    ...terms(site),
    primaryImageOfPage: { '@type': 'ImageObject', url: `${post.url}.png`, width: 1200, height: 630 },
    mainEntity: presentation.schemaOrg(post),
  })
}

/**
 * A list of posts as JSON-LD, escaped for a script element: only names and URLs, because the post pages have the rest.
 */
export function listingStructuredData(site: SiteView, view: ListingView): Html {
  return jsonInHtml({
    '@context': 'https://schema.org',
    '@type': 'CollectionPage',
    url: listingUrl(site, view),
    name: listingTitle(site, view),
    description: site.kind.site.tagline,
    ...terms(site),
    ...(view.path && { breadcrumb: breadcrumb(site, view) }),
    mainEntity: {
      '@type': 'ItemList',
      numberOfItems: view.listedCount,
      itemListElement: view.posts.map((post, at) => ({
        '@type': 'ListItem',
        position: at + 1,
        url: post.url,
        name: site.kind.presentation.headline(post.content),
      })),
    },
  })
}

/** Added to all user content. schema.org has no term for trust; this property says how a work may be used. */
const terms = ({ kind, baseUrl }: SiteView) => ({
  license: postLicense.url,
  usageInfo: { '@type': 'CreativeWork', name: untrustedLabel, url: `${baseUrl}/docs/feeds/` },
  isAccessibleForFree: true,
  isPartOf: { '@type': 'WebSite', name: kind.site.title, url: `${baseUrl}/` },
})

function breadcrumb(site: SiteView, view: ListingView) {
  const steps = [{ path: '', name: site.kind.site.title }, ...view.parents, view]
  return {
    '@type': 'BreadcrumbList',
    itemListElement: steps.map((step, at) => ({
      '@type': 'ListItem',
      position: at + 1,
      name: step.name,
      item: listingUrl(site, step),
    })),
  }
}
