import { type Kind, kinds } from '../../../src/kinds/index.ts'
import type { PublicPost } from '../../../src/kinds/presentation/presentation.ts'
import { publicPost } from '../../../src/posts/public/public-post.ts'
import type { ListingView, SiteView } from '../../../src/publishing/views.ts'

const baseUrlOf = (kind: Kind) => `https://${kind.site.slug}.broadside.example`

export const siteOfKind = (kind: Kind): SiteView => ({
  kind,
  baseUrl: baseUrlOf(kind),
  family: kinds.map((one) => ({ kind: one.name, definition: one, ...one.site, baseUrl: baseUrlOf(one) })),
})

type Told = { number?: number; editedAt?: string; authorName?: string; content?: object }

/** A public example of its kind, with the test's changes. */
export function shownPost(kind: Kind, { number = 1, editedAt, authorName = 'Harbour Notices', content }: Told = {}) {
  const example = kind.examples[(number - 1) % kind.examples.length] as object
  const publishedAt = new Date(Date.parse('2026-11-15T12:00:03.500Z') + number * 60_000)
  const body = { ...kind.body.parse(example), ...content }
  return publicPost(kind, baseUrlOf(kind), {
    id: `post_01jcmzq8e5f7r9t2v4x6y8z${String(number).padStart(3, '0')}`,
    account_id: 'acct_01jcmzq8e5f7r9t2v4x6y8z0ab',
    content: body,
    revision: editedAt ? 2 : 1,
    published_at: publishedAt,
    edited_at: editedAt ? new Date(editedAt) : null,
    visible_until: kind.visibleUntil(body, publishedAt),
    author_name: authorName,
    author_standing: 'good',
    author_domain: null,
  }) as PublicPost
}

/** A listing with these posts, last published first. */
export const listingOf = (posts: readonly PublicPost[], told: Partial<ListingView> = {}): ListingView => ({
  path: 'topics/ferries',
  name: 'ferries',
  parents: [],
  posts,
  newest: posts,
  withdrawn: [],
  listedCount: posts.length,
  standingCount: posts.length,
  topics: [],
  places: [],
  own: [],
  older: null,
  lastPage: null,
  ...told,
})
