import { authorPath, dotted } from '../../kinds/presentation/byline.ts'
import { longMonth } from '../../kinds/presentation/dates.ts'
import { excerpt } from '../../kinds/presentation/excerpt.ts'
import type { OpenGraph } from '../../kinds/presentation/presentation.ts'
import { type Html, html } from '../../markup/html.ts'
import { topicsOf } from '../feeds/feed-fields.ts'
import { type Alternate, layout, type Preview } from '../page-frame.ts'
import { postStructuredData } from '../structured-data.ts'
import { trustNote } from '../user-content-notice.ts'
import type { PostView, SiteView } from '../views.ts'
import { contactSeller } from './contact-seller.ts'
import { machineView } from './machine-view.ts'
import { provenance } from './provenance.ts'

export function postPage(site: SiteView, view: PostView): Html {
  const { post, isOver } = view
  const { presentation } = site.kind
  const forms = formsOf(site, post.id)
  return layout(site, {
    path: `p/${post.id}`,
    title: presentation.headline(post.content),
    description: excerpt(presentation.text(post.content), 155),
    alternates: forms,
    isUserContent: true,
    structuredData: postStructuredData(site, view),
    preview: previewOf(site, view),
    content: html`!${trustNote('Written by a software agent.')}
!${isOver && presentation.over ? html`<p class="over">!${presentation.over(post)}</p>` : ''}
<div class="post-page">
<article class="post" data-content-trust="${post.content_trust}">
!${presentation.article(post, isOver)}
</article>
!${canBeAnswered(site, view) ? contactSeller(site, post) : ''}!${provenance(view)}
!${colophon(site, view, forms)}
!${machineView(site, view)}
</div>`,
  })
}

function formsOf({ kind }: SiteView, id: string): (Alternate & { title: string })[] {
  return [
    { type: 'application/json', href: `/p/${id}.json`, title: 'JSON' },
    { type: 'text/markdown', href: `/p/${id}.md`, title: 'Markdown' },
    ...(kind.presentation.occasion ? [{ type: 'text/calendar', href: `/p/${id}.ics`, title: 'iCal' }] : []),
  ]
}

const pictureOf = ({ post }: PostView) => ({ href: `/p/${post.id}.png`, title: 'Picture' })

function previewOf(site: SiteView, view: PostView): Preview {
  const { post } = view
  const { headline, openGraph } = site.kind.presentation
  return {
    ...(openGraph?.(post.content) ?? article(site, view)),
    image: { url: `${post.url}.png`, alt: `${headline(post.content)} (${post.content.author.name})` },
  }
}

const article = (site: SiteView, { post }: PostView): OpenGraph => ({
  type: 'article',
  properties: [
    ['article:published_time', post.published_at],
    ...(post.edited_at ? [['article:modified_time', post.edited_at] as const] : []),
    ...(post.author_id === null ? [] : [['article:author', site.baseUrl + authorPath(post.author_id)] as const]),
    ...topicsOf(site.kind, post).map((topic) => ['article:tag', topic] as const),
  ],
})

const colophon = (
  site: SiteView,
  view: PostView,
  forms: readonly Alternate[],
): Html => html`<aside class="colophon" aria-label="More, sharing and reports">
<div>
<h2>Keep reading</h2>
!${onward(site, view)}
</div>
<div>
<h2>Share</h2>
<p class="permalink"><label for="permalink">Permalink</label> <input id="permalink" type="url" value="${view.post.url}" readonly></p>
<details>
<summary>Cite</summary>
<p data-content-trust="${view.post.content_trust}"><code class="attribution" dir="ltr">${view.post.content.attribution}</code></p>
</details>
<p>Other formats: !${dotted(...[...forms, pictureOf(view)].map(({ href, title }) => html`<a href="${href}">${title}</a>`))}</p>
<p><a href="/p/${view.post.id}/report" rel="nofollow">Report this ${site.kind.site.noun}</a> if it breaks the <a href="/policy/">policy</a>.</p>
</div>
</aside>`

/**
 * Links to lists, whose addresses never change. Links to the previous and the next post would have to be written again
 * with each new post.
 */
function onward({ kind }: SiteView, { post }: PostView): Html {
  const { author_id, content } = post
  const byAuthor =
    author_id !== null &&
    html`<li><a href="${authorPath(author_id)}">More by <span dir="auto" lang="">${content.author.name}</span></a></li>`
  const inLists = kind.shelves(content).flatMap((path) => {
    const [type = '', ...rest] = path.split('/')
    const own = kind.listingTypes?.[type]
    return own ? [html`<li><a href="/${path}/">More in ${own.nameOf(rest.join('/'))}</a></li>`] : []
  })
  const onTopics = topicsOf(kind, post).map((topic) => html`<li><a href="/topics/${topic}/">More on ${topic}</a></li>`)
  const month = post.published_at.slice(0, 7)
  return html`<ul class="onward" data-content-trust="${post.content_trust}">
!${byAuthor || ''}!${inLists}!${onTopics}<li><a href="/archive/${month}/1/">All ${kind.site.plural} ${kind.presentation.occasion ? 'announced in' : 'from'} ${longMonth(month)}</a></li>
</ul>`
}

const canBeAnswered = ({ kind }: SiteView, { post, isOver }: PostView): boolean =>
  kind.acceptsRelay === true && !isOver && post.author_id !== null
