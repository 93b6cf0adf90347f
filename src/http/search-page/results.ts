import assert from 'node:assert/strict'
import type { Kind } from '../../kinds/index.ts'
import { authorName, dotted } from '../../kinds/presentation/byline.ts'
import { longDate, utcDate } from '../../kinds/presentation/dates.ts'
import { type Location, placeName } from '../../kinds/presentation/place-line.ts'
import type { PublicPost } from '../../kinds/presentation/presentation.ts'
import { type Html, html } from '../../markup/html.ts'
import type { Highlight } from '../../search/highlight.ts'
import { capitalised } from './form.ts'
import { markedWhole, type Range, snippet } from './snippet.ts'

export type SearchResult = PublicPost<{ location?: Location }> & { highlights: readonly Highlight[] }

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
  const { location } = post.content
  return html`<article class="result" data-content-trust="${post.content_trust}">
<p class="kicker">${capitalised(kind.site.noun)}</p>
!${kind.presentation.hasTitle ? titled(kind, post) : untitled(kind, post)}
<p class="meta">!${dotted(authorName(post), utcDate(post.published_at), location && html`${placeName(location)}`, takesPlace(kind, post))}</p>
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

function takesPlace({ presentation }: Kind, { content }: SearchResult): Html | undefined {
  const occasion = presentation.occasion?.(content)
  return occasion && html`takes place on <time datetime="${occasion.starts_at}">${longDate(occasion.starts_at)}</time>`
}
