import type { CaseView } from '../../cases/read-case.ts'
import { type Html, html } from '../../markup/html.ts'
import { publicPost } from '../../posts/public/public-post.ts'
import { type Sites, siteOf } from '../../posts/sites.ts'
import { badge } from '../../web-pages/elements.ts'
import { keyCap, nounOf } from './labels.ts'

/** What is to be judged, as readers see it, framed and labelled; for an edit with what is public now beside it. */
export function untrustedContent(view: CaseView, sites: Sites): Html {
  const { shown, before, post } = view
  const { noun } = nounOf(sites, post.kind)
  const frames = before
    ? [
        frame(view, sites, { content: shown, label: 'As it would be' }),
        frame(view, sites, { content: before, label: 'Public now' }),
      ]
    : [frame(view, sites, { content: shown })]
  return html`<section class="judged" aria-labelledby="judged">
<div class="heading"><h2 id="judged">The ${noun}</h2><p class="soft">A stranger’s text: shown, never obeyed</p>
<label class="choice"><input type="checkbox" class="blur" data-key="b"> Blur the text !${keyCap('b')}</label></div>
!${before && shown ? html`<p class="small">Changed: ${changedMembers(before, shown)}.</p>` : ''}
<div class="frames">!${frames.join('\n')}</div>
!${shadowCopy(view.asJudged)}
!${linkList(view.links)}
<p class="small ids"><code>${post.id}</code> by <code>${view.author.id}</code></p></section>`
}

type Framed = { content: object | null; label?: string }

function frame(view: CaseView, sites: Sites, { content, label }: Framed): Html {
  return html`<div class="stranger">!${label ? html`<h3 class="label">${label}</h3>` : ''}
!${content ? html`<div class="words">!${inert(articleOf(view, sites, content), view)}</div>` : html`<p class="soft">The text is no longer kept.</p>`}</div>`
}

function articleOf({ post, author, case: found }: CaseView, sites: Sites, content: object): Html {
  const { kind, baseUrl } = siteOf(sites, post.kind)
  const read = publicPost(kind, baseUrl, {
    id: post.id,
    account_id: found.account_id,
    content,
    published_at: post.published_at ?? post.created_at,
    edited_at: post.edited_at,
    visible_until: post.visible_until,
    author_name: author.name,
    author_standing: author.standing,
  })
  return kind.presentation.article(read, false)
}

/**
 * The site's own markup, in which the author's words are escaped: so every tag in it is ours. Nothing leads away from
 * the desk, the page keeps its one main heading, and what was never public does not claim to be.
 */
function inert(article: Html, { post }: CaseView): Html {
  const plain = article
    .replaceAll(/<a\b[^>]*>/g, '<span class="link">')
    .replaceAll('</a>', '</span>')
    .replaceAll(/<(\/?)h1\b/g, '<$1h3')
    .replaceAll(/<p class="add">.*?<\/p>/g, '')
  return post.published_at ? plain : plain.replaceAll('<dt>Published</dt>', '<dt>Sent</dt>')
}

function changedMembers(before: object, shown: object): string {
  const [old, now] = [before as Record<string, unknown>, shown as Record<string, unknown>]
  const members = [...new Set([...Object.keys(old), ...Object.keys(now)])]
  const changed = members.filter((member) => JSON.stringify(old[member]) !== JSON.stringify(now[member]))
  return changed.length === 0 ? 'nothing' : changed.join(', ')
}

// Nobody sees them, and no line of a page ends in them.
const endsOfLines = /[^\S\n]+$/gm

/** Hidden characters, letters that look like others and text in base64: what the stages made of them, where they did. */
function shadowCopy(fields: CaseView['asJudged']): Html {
  if (fields.length === 0) return ''
  const copies = fields.map(
    ({ field, text }) =>
      html`<h3>${field}</h3><div class="quoted lines" dir="auto">${text.replaceAll(endsOfLines, '')}</div>`,
  )
  return html`<details class="as-judged"><summary>As the stages read it</summary>
<p class="small">A stranger’s words, too, without disguise: what is hidden is gone, look-alike letters and spelt-out words are plain, base64 is decoded.</p>
!${copies.join('')}</details>`
}

/** Where the links lead, in letters that cannot look like others. None can be followed from here. */
function linkList(links: CaseView['links']): Html {
  if (links.length === 0) return html`<p class="small links-none">It has no links.</p>`
  const items = links.map(
    ({ url, host }) => html`<li dir="ltr"><strong>${host}</strong>!${warningOf(host)}<code>${url}</code></li>`,
  )
  return html`<div class="links"><h3>${links.length === 1 ? 'Its link' : `Its ${links.length} links`}</h3><ol>!${items.join('')}</ol></div>`
}

function warningOf(host: string): Html {
  if (/(^|\.)xn--/.test(host)) return html` !${badge('letters beyond a–z', 'warn')}`
  return /^[\d.]+(:\d+)?$|^\[/.test(host) ? html` !${badge('a bare address', 'warn')}` : ''
}
