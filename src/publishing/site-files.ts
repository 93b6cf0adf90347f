import { type Files, withdrawn } from '../platform/page-store/site-store.ts'
import { postCalendar } from './feeds/calendar.ts'
import { postMarkdown } from './feeds/post-markdown.ts'
import { postPage } from './pages/post-page.ts'
import type { PostView, SiteView } from './views.ts'

/**
 * The path of a post's file. Its folder is named after the last two characters of the id, which are random: 1,024
 * folders per site.
 */
export const postFile = (postId: string, form: string) => `p/${postId.slice(-2)}/${postId}.${form}`

/** The path of the proof that the post is in the transparency log. */
export const proofPath = (postId: string) => postFile(postId, 'tlog-proof')

/** The path of a listing's file, such as `index.html` or `topics/ferries/feed.xml`. */
export const listingFile = (path: string, name: string) => (path === '' ? name : `${path}/${name}`)

/** The path of a file of a listing's full page. The listing itself is page 1, so the oldest full page is page 2. */
export const listingPageFile = (path: string, number: number, name: string) => `${path}/${number + 1}/${name}`

export const archiveFile = (month: string, page: number) => `archive/${month}/${page}/index.html`

export const sitemapFile = (month: string, shard: number) => `sitemaps/${month}-${shard}.xml`

/**
 * All files of one post. The proof is null until the log has the post.
 *
 * The page comes after the forms that it links to. A withdrawn post has only an empty marker file, for which the gateway
 * responds with 410. The marker comes first, so that no reader gets a 404 in between, and the page second: while it is
 * there, readers and search engines follow its links.
 */
export function filesOfPost(
  site: SiteView,
  postId: string,
  view: PostView | undefined,
  proof: string | null = null,
): Files {
  const usual = ['json', 'md', 'tlog-proof']
  const forms = site.kind.presentation.occasion ? [...usual, 'ics'] : usual
  if (!view)
    return new Map<string, '' | typeof withdrawn>([
      [postFile(postId, 'gone'), ''],
      ...['html', ...forms].map((form) => [postFile(postId, form), withdrawn] as const),
    ])
  return new Map<string, string | null>([
    [postFile(postId, 'json'), `${JSON.stringify(view.post, null, 2)}\n`],
    [postFile(postId, 'md'), postMarkdown(site, view)],
    ...(site.kind.presentation.occasion ? [[postFile(postId, 'ics'), postCalendar(site, view)] as const] : []),
    [proofPath(postId), proof],
    [postFile(postId, 'html'), postPage(site, view)],
    [postFile(postId, 'gone'), null],
  ])
}
