import { type Html, html } from '../markup/html.ts'
import type { Alternate } from './layout.ts'
import type { SiteView } from './views.ts'

/** The forms in which the posts of a shelf can be followed. `path` as in its view. */
export function feedsOf({ kind }: SiteView, path: string): (Alternate & { title: string })[] {
  const base = path === '' ? '/' : `/${path}/`
  return [
    { type: 'application/rss+xml', href: `${base}feed.xml`, title: 'RSS' },
    { type: 'application/feed+json', href: `${base}index.json`, title: 'JSON Feed' },
    ...(kind.presentation.occasion ? [{ type: 'text/calendar', href: `${base}events.ics`, title: 'Calendar' }] : []),
  ]
}

export const feedLinks = (feeds: readonly Alternate[]): Html =>
  html`<ul class="feeds" aria-label="Feeds">!${feeds.map(({ href, type, title }) => html`<li><a href="${href}" type="${type}">${title}</a></li>`)}</ul>`
