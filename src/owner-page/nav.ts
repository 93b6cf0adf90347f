import { type Html, html } from '../markup/html.ts'

const entries = {
  overview: { path: '/account', label: 'Overview' },
  money: { path: '/account/money', label: 'Money' },
  posts: { path: '/account/posts', label: 'Posts' },
  keys: { path: '/account/keys', label: 'Keys' },
  webhooks: { path: '/account/webhooks', label: 'Webhooks' },
  settings: { path: '/account/settings', label: 'Settings' },
} as const

export type Section = keyof typeof entries

/** The parts of the owner page, in the order in which owners need them. */
export function nav(current: Section | null): Html {
  const items = Object.entries(entries).map(
    ([section, { path, label }]) =>
      html`<li><a href="${path}"!${section === current ? html` aria-current="page"` : ''}>${label}</a></li>`,
  )
  return html`<nav class="sections" aria-label="Your account"><ul>!${items.join('')}</ul></nav>`
}
