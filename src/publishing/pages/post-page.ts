import { excerpt } from '../../kinds/presentation/excerpt.ts'
import { type Html, html } from '../../markup/html.ts'
import { type Alternate, layout } from '../page-frame.ts'
import { postStructuredData } from '../structured-data.ts'
import { trustNote } from '../user-content-notice.ts'
import type { PostView, SiteView } from '../views.ts'
import { contactSeller } from './contact-seller.ts'

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
    content: html`!${trustNote()}
<div class="post-page">
<article class="post" data-content-trust="${post.content_trust}">
!${presentation.article(post, isOver)}
</article>
!${colophon(site, view, forms)}
</div>`,
  })
}

function formsOf({ kind }: SiteView, id: string): (Alternate & { title: string })[] {
  return [
    { type: 'application/json', href: `/p/${id}.json`, title: 'JSON' },
    { type: 'text/markdown', href: `/p/${id}.md`, title: 'Markdown' },
    ...(kind.presentation.occasion ? [{ type: 'text/calendar', href: `/p/${id}.ics`, title: 'Calendar' }] : []),
  ]
}

const colophon = (
  site: SiteView,
  view: PostView,
  forms: readonly Alternate[],
): Html => html`<aside class="colophon" aria-label="Credit, other formats and reports">
<h2 id="credit">How to credit</h2>
<p data-content-trust="${view.post.content_trust}"><code class="attribution" dir="ltr">${view.post.content.attribution}</code></p>
<p>Other formats: !${forms.map(({ href, title }) => html`<a href="${href}">${title}</a>`).join(' · ')}</p>!${canBeAnswered(site, view) ? contactSeller(site, view.post) : ''}
<p>Does it break the <a href="/policy/">policy</a>? <a href="/p/${view.post.id}/report" rel="nofollow">Report it</a>.</p>
</aside>`

const canBeAnswered = ({ kind }: SiteView, { post, isOver }: PostView): boolean =>
  kind.acceptsRelay === true && !isOver && post.author_id !== null
