import type { Files, PageStore } from '../platform/page-store/page-store.ts'
import { cardOf, findCard } from './cards/post-card.ts'
import { postCalendar } from './feeds/calendar.ts'
import { postMarkdown } from './feeds/post-markdown.ts'
import { postPage } from './pages/post-page.ts'
import type { PostView, SiteView } from './views.ts'

/**
 * The path of a post's file. Its folder is named after the last two characters of the id, which are random: 1,024
 * folders per site.
 */
export const postFile = (postId: string, form: string) => `p/${postId.slice(-2)}/${postId}.${form}`

/** The path of a post's picture for link previews. */
export const cardFile = (postId: string) => postFile(postId, 'png')

/** The path of a listing's file, such as `index.html` or `topics/ferries/feed.xml`. */
export const listingFile = (path: string, name: string) => (path === '' ? name : `${path}/${name}`)

/** The path of a file of a listing's full page. The listing itself is page 1, so the oldest full page is page 2. */
export const listingPageFile = (path: string, number: number, name: string) => `${path}/${number + 1}/${name}`

export const archiveFile = (month: string, page: number) => `archive/${month}/${page}/index.html`

export const sitemapFile = (month: string, shard: number) => `sitemaps/${month}-${shard}.xml`

/**
 * All files of one post. A withdrawn post has only an empty marker file, for which the gateway responds with 410. The
 * card is the one in these trees; without a current one, the post has none until `drawCard` has drawn it.
 */
export function filesOfPost(
  site: SiteView,
  postId: string,
  view: PostView | undefined,
  trees: readonly Pick<PageStore, 'read'>[] = [],
): Files {
  const file = (form: string, content: (view: PostView) => string) =>
    [postFile(postId, form), view ? content(view) : null] as const
  return new Map<string, string | Buffer | null>([
    file('json', ({ post }) => `${JSON.stringify(post, null, 2)}\n`),
    file('md', (shown) => postMarkdown(site, shown)),
    [cardFile(postId), (view && findCard(cardOf(site, view.post), cardFile(postId), trees)) ?? null],
    ...(site.kind.presentation.occasion ? [file('ics', (shown) => postCalendar(site, shown))] : []),
    file('html', (shown) => postPage(site, shown)),
    [postFile(postId, 'gone'), view ? null : ''],
  ])
}
