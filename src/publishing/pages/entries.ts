import type { PublicPost } from '../../kinds/presentation.ts'
import { type Html, html } from '../../markup/html.ts'
import type { SiteView } from '../views.ts'

/** Posts in a list, as their kind arranges them. */
export function entries({ kind }: SiteView, posts: readonly PublicPost[]): Html {
  const { arrange, entry } = kind.presentation
  return html`<div class="entries">!${arrange ? arrange(posts) : posts.map(entry).join('\n')}</div>`
}
