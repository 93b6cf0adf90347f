import { html } from '../../markup/html.ts'
import { layout } from '../page-frame.ts'
import type { SiteView } from '../views.ts'

/** Shown by the gateway when a form exceeds the rate limit that all sites share. */
export const busyFormPage = (site: SiteView) =>
  formNote(site, {
    status: '429',
    title: 'Broadside is busy',
    text: 'Too many requests arrived at the same time. Nothing was sent. Go back, wait a few seconds and try again.',
  })

/** Shown by the gateway when a form cannot be opened or sent because the API is unavailable. */
export const unavailableFormPage = (site: SiteView) =>
  formNote(site, {
    status: '503',
    title: 'This page is temporarily unavailable',
    text: 'The service behind it is restarting or cannot be reached. If you sent a form, it may not have been saved: go back, wait a minute and send it again.',
  })

const formNote = (site: SiteView, { status, title, text }: { status: string; title: string; text: string }) =>
  layout(site, {
    path: `${status}-form`,
    title,
    description: title,
    isUnlisted: true,
    content: html`<div class="page-head"><p class="kicker">${status}</p><h1>${title}</h1>
<p class="lede">${text}</p></div>
<div class="prose"><p>You can still read everything: see <a href="/">the latest ${site.kind.site.plural}</a>.</p></div>`,
  })
