import assert from 'node:assert/strict'
import type { Kind } from '../../kinds/index.ts'
import { authorName, dotted } from '../../kinds/presentation/byline.ts'
import { utcDate } from '../../kinds/presentation/dates.ts'
import type { PublicPost } from '../../kinds/presentation/presentation.ts'
import { type Html, html } from '../../markup/html.ts'
import type { Highlight } from '../../search/highlight.ts'
import { capitalised } from './form.ts'
import { markedWhole, type Range, snippet } from './snippet.ts'

export type SearchResult = PublicPost & { highlights: readonly Highlight[] }

/** About three lines on a wide screen. */
const snippetPoints = 240

/** Posts from all sites, in order, each linked by its full URL. */
export const resultList = (kinds: readonly Kind[], found: readonly SearchResult[]): Html =>
  html`<ol class="results">
!${found.map((post) => html`<li>!${result(kinds, post)}</li>`).join('\n')}
</ol>`

function result(kinds: readonly Kind[], post: SearchResult): Html {
  const kind = kinds.find(({ name }) => name === post.kind)
  assert(kind, 'a search result has an unknown kind')
  return html`<article class="result" data-content-trust="${post.content_trust}">
<p class="kicker">${capitalised(kind.site.noun)}</p>
!${kind.presentation.hasTitle ? titled(kind, post) : untitled(kind, post)}
!${factLine(kind, post)}
<p class="meta">!${dotted(authorName(post), utcDate(post.published_at))}</p>
</article>`
}

function titled({ presentation }: Kind, post: SearchResult): Html {
  const [title, text] = [presentation.headline(post.content), presentation.text(post.content)]
  return html`<h3 dir="auto" lang=""><a href="${post.url}">!${markedWhole(title, rangesIn(post, title))}</a></h3>
<p class="excerpt" dir="auto" lang="">!${snippet(text, rangesIn(post, text), snippetPoints)}</p>`
}

/** If the headline is the beginning of the text, showing both would repeat it. */
function untitled({ presentation }: Kind, post: SearchResult): Html {
  const text = presentation.text(post.content)
  return html`<h3 class="untitled" dir="auto" lang=""><a href="${post.url}">!${snippet(text, rangesIn(post, text), snippetPoints)}</a></h3>`
}

/**
 * The highlights of the field with this text. Highlights refer to fields, and only the kind knows what a field means.
 */
function rangesIn({ content, highlights }: SearchResult, text: string): Range[] {
  const members: Record<string, unknown> = content
  return highlights.filter(({ field }) => members[field] === text)
}

/** Price, condition, time and place, as the kind has them. */
function factLine({ presentation }: Kind, { content }: SearchResult): Html {
  const facts = presentation.facts(content)
  if (facts.length === 0) return ''
  return html`<dl class="result-facts">!${facts.map(({ label, value }) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`
}
