import { postCalendar } from './feeds/calendar.ts'
import { postMarkdown } from './feeds/post-markdown.ts'
import { postPage } from './pages/post-page.ts'
import { postFile } from './paths.ts'
import type { PostView, SiteView } from './views.ts'

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
