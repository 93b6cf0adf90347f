import type { PageStore } from '../platform/page-store/page-store.ts'
import { postCalendar } from './feeds/calendar.ts'
import { postMarkdown } from './feeds/post-markdown.ts'
import { postPage } from './pages/post-page.ts'
import type { PostView, SiteView } from './views.ts'

/** The folder of a post's files: by its last two characters, which are random, a site has 1,024 of them. */
export const postFile = (postId: string, form: string) => `p/${postId.slice(-2)}/${postId}.${form}`

/** The file of a shelf: `index.html`, `topics/ferries/feed.xml`. */
export const listingFile = (path: string, name: string) => (path === '' ? name : `${path}/${name}`)

export const archiveFile = (month: string, page: number) => `archive/${month}/${page}/index.html`

export const sitemapFile = (month: string, shard: number) => `sitemaps/${month}-${shard}.xml`

/** Files by their path; null where there must be none. */
export type Files = ReadonlyMap<string, string | Buffer | null>

/** Every file that is the post's alone. One that was taken down leaves an empty mark, which the gateway answers with 410. */
export function filesOfPost(site: SiteView, postId: string, view: PostView | undefined): Files {
  const file = (form: string, content: (view: PostView) => string) =>
    [postFile(postId, form), view ? content(view) : null] as const
  return new Map([
    file('json', ({ post }) => `${JSON.stringify(post, null, 2)}\n`),
    file('md', (shown) => postMarkdown(site, shown)),
    ...(site.kind.presentation.occasion ? [file('ics', (shown) => postCalendar(site, shown))] : []),
    file('html', (shown) => postPage(site, shown)),
    [postFile(postId, 'gone'), view ? null : ''],
  ])
}

/** Writes what is given and removes what is null, one after the other; gives how many files were written. */
export async function writeFiles(store: PageStore, files: Files): Promise<number> {
  let written = 0
  for (const [path, content] of files)
    if (content === null) await store.remove(path)
    else written += await store.write(path, content)
  return written
}
