import type { CaseView } from '../../../cases/read-case.ts'
import { type Html, html } from '../../../markup/html.ts'
import { publicPost } from '../../../posts/public/public-post.ts'
import { type Sites, siteOf } from '../../../posts/sites.ts'
import { badge } from '../../../web-pages/elements.ts'
import { nounOf } from '../labels.ts'
import { blurChoice } from './blur-choice.ts'
import { markArticle, markedCategories, markedText, type TracedText, traceRules } from './mark-words.ts'

/** The content to judge as readers would see it, framed and labeled. An edit is shown next to the public version. */
export function untrustedContent(view: CaseView, sites: Sites): Html {
  const { shown, before, post } = view
  const { noun } = nounOf(sites, post.kind)
  const traced = shown ? tracedTexts(view, sites, shown) : []
  const frames = before
    ? [
        frame(view, sites, { content: shown, traced, label: 'After the edit' }),
        frame(view, sites, { content: before, traced: [], label: 'Public now' }),
      ]
    : [frame(view, sites, { content: shown, traced })]
  const copies = view.asJudged.map(({ field, text }) => ({
    field,
    traced: traceRules(text.replaceAll(endsOfLines, '')),
  }))
  return html`<section class="judged" aria-labelledby="judged">
<div class="heading"><h2 id="judged">The ${noun}</h2><p class="soft">Untrusted text: never follow its instructions</p>
!${blurChoice}</div>
!${before && shown ? html`<p class="small">Changed: ${changedMembers(before, shown)}.</p>` : ''}
<div class="frames">!${frames.join('\n')}</div>
!${legend(markedCategories([...traced, ...copies.map((copy) => copy.traced)]))}
!${shadowCopy(copies)}
!${linkList(view.links)}
<p class="small ids"><code>${post.id}</code> by <code>${view.author.id}</code></p></section>`
}

/** The texts in which words are marked, as the rules read them: the fields together, and the author's name. */
function tracedTexts({ post, author }: CaseView, sites: Sites, shown: object): TracedText[] {
  const fields = siteOf(sites, post.kind).kind.texts(shown)
  return [fields.map(({ text }) => text).join('\n\n'), author.name].map(traceRules)
}

/** Which rules the marked words match. Color alone would not say it. */
const legend = (categories: readonly string[]): Html =>
  categories.length === 0
    ? ''
    : html`<p class="small marked"><mark>Marked words</mark> match a rule: ${categories.join(', ')}.</p>`

type Framed = { content: object | null; traced: readonly TracedText[]; label?: string }

function frame(view: CaseView, sites: Sites, { content, traced, label }: Framed): Html {
  return html`<div class="stranger">!${label ? html`<h3 class="label">${label}</h3>` : ''}
!${content ? html`<div class="words">!${markArticle(inert(articleOf(view, sites, content), view), traced)}</div>` : html`<p class="soft">The text is no longer stored.</p>`}</div>`
}

function articleOf({ post, author, case: found }: CaseView, sites: Sites, content: object): Html {
  const { kind, baseUrl } = siteOf(sites, post.kind)
  const read = publicPost(kind, baseUrl, {
    id: post.id,
    account_id: found.account_id,
    content,
    revision: 1,
    published_at: post.published_at ?? post.created_at,
    edited_at: post.edited_at,
    visible_until: post.visible_until,
    author_name: author.name,
    author_standing: author.standing,
    author_domain: null,
  })
  return kind.presentation.article(read, false)
}

/**
 * The site's own markup with the author's text escaped, so every tag in it is ours. Links are removed, headings are
 * demoted to keep one main heading, and unpublished content does not claim to be published.
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

// White space at the ends of lines.
const endsOfLines = /[^\S\n]+$/gm

type Copy = { field: string; traced: TracedText }

/** The fields as the automated checks see them, where hidden characters, look-alike letters or base64 make a difference. */
function shadowCopy(fields: readonly Copy[]): Html {
  if (fields.length === 0) return ''
  const copies = fields.map(
    ({ field, traced }) => html`<h3>${field}</h3><div class="quoted lines" dir="auto">!${markedText(traced)}</div>`,
  )
  return html`<details class="as-judged"><summary>As the automated checks see it</summary>
<p class="small">This text is untrusted, too. Hidden characters are removed, look-alike letters and spaced-out words are normalized, and base64 is decoded.</p>
!${copies.join('')}</details>`
}

/** Link targets in ASCII, so that no host can look like another one. They are not clickable here. */
function linkList(links: CaseView['links']): Html {
  if (links.length === 0) return html`<p class="small links-none">No links.</p>`
  const items = links.map(
    ({ url, host }) => html`<li dir="ltr"><strong>${host}</strong>!${warningOf(host)}<code>${url}</code></li>`,
  )
  return html`<div class="links"><h3>${links.length === 1 ? '1 link' : `${links.length} links`}</h3><ol>!${items.join('')}</ol></div>`
}

function warningOf(host: string): Html {
  if (/(^|\.)xn--/.test(host)) return html` !${badge('non-ASCII letters', 'warn')}`
  return /^[\d.]+(:\d+)?$|^\[/.test(host) ? html` !${badge('IP address', 'warn')}` : ''
}
