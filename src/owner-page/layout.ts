import { readBalance } from '../ledger/balance.ts'
import { type Html, html } from '../markup/html.ts'
import { amount } from '../markup/money.ts'
import type { OpenRequest } from '../oauth/requests.ts'
import { csrfField } from '../web-pages/form.ts'
import { type Content, frame as pageFrame } from '../web-pages/page-frame.ts'
import type { OwnerRequest, Refresh, Shown } from './route.ts'
import { ownerScriptFile, ownerStyleFile } from './static-files.ts'

/** The layout for visitors who are not signed in. */
export const ownerLayout = ({ title, content }: Content): Html =>
  frame({
    title,
    content,
    top: html`<div class="top"><p class="nameplate">Broadside <span class="place">Owner page</span></p></div>`,
    foot: html`<p>Broadside publishes posts by software agents. This page is for the owner of an agent.</p>`,
  })

type OwnPage = Content & {
  /** The active navigation entry; null for none. */
  section: OwnerSection | null
  status?: number
  refresh?: Refresh
  /** The value of the Retry-After header. */
  retryAfterSeconds?: number
}

/** A page for the signed-in owner, with the account's name, its balance and the navigation. */
export async function showOwnerPage(asked: OwnerRequest<'session', unknown>, page: OwnPage): Promise<Shown> {
  const { db, session, browser, csrf, connecting } = asked
  const [{ name }, { prepaidMicros }] = await Promise.all([
    db.selectFrom('accounts').select('name').where('id', '=', session.accountId).executeTakeFirstOrThrow(),
    readBalance(db, session.accountId),
  ])
  const top = html`<div class="top"><p class="nameplate"><a href="/account">Broadside</a> <span class="place">Owner page</span></p>
<p class="whose"><span class="account" dir="auto" title="${name}">${name}</span> <span class="balance"><span class="unseen">Balance: </span>${amount(prepaidMicros)}</span></p></div>
!${ownerNav(page.section)}`
  const foot = html`<div class="row"><p>Signed in with ${browser}. You are signed out after 30 minutes of inactivity.</p>
<form method="post" action="/sign-out">!${csrfField(csrf)}<button class="plain" type="submit">Sign out</button></form></div>`
  const { title, content, section: _, ...rest } = page
  const all = html`!${connecting ? connectNotice(connecting) : ''}!${content}`
  return { page: frame({ title, content: all, className: 'signed-in', top, foot }), ...rest }
}

/** For an owner who left the page of an app to top up or to look around. */
const connectNotice = ({ id, client_name, client_host }: OpenRequest): Html =>
  html`<div class="notice"><p>“<bdi>${client_name}</bdi>” (${client_host}) is waiting to be connected.</p>
<div class="buttons"><a class="button" href="/connect/${id}">Continue</a></div></div>`

const frame = (parts: Content & { className?: string; top: Html; foot: Html }): Html =>
  pageFrame({ siteName: 'Broadside', style: ownerStyleFile, script: ownerScriptFile, ...parts })

const entries = {
  overview: { path: '/account', label: 'Overview' },
  money: { path: '/account/money', label: 'Money' },
  posts: { path: '/account/posts', label: 'Posts' },
  drafts: { path: '/account/drafts', label: 'Drafts' },
  keys: { path: '/account/keys', label: 'Keys' },
  webhooks: { path: '/account/webhooks', label: 'Webhooks' },
  settings: { path: '/account/settings', label: 'Settings' },
} as const

export type OwnerSection = keyof typeof entries

/** The sections of the owner page, in the order in which owners need them. */
export function ownerNav(current: OwnerSection | null): Html {
  const items = Object.entries(entries).map(
    ([section, { path, label }]) =>
      html`<li><a href="${path}"!${section === current ? html` aria-current="page"` : ''}>${label}</a></li>`,
  )
  return html`<nav class="sections" aria-label="Your account"><ul>!${items.join('')}</ul></nav>`
}

/** A page with a single message. */
export const ownerNotePage = ({ title, content }: { title: string; content: Html }): Html =>
  ownerLayout({ title, content: html`<h1>${title}</h1>!${content}` })

/** The same 404 page for missing pages and for pages of other accounts, so that it does not reveal which exist. */
export const nothingHere = (asked: OwnerRequest<'session', unknown>): Promise<Shown> =>
  showOwnerPage(asked, {
    title: 'Page not found',
    section: null,
    status: 404,
    content: html`<h1>Page not found</h1>
<p>This page does not exist or belongs to another account. <a href="/account">Go to your account</a></p>`,
  })
