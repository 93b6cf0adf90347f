import { readBalance } from '../ledger/balance.ts'
import { type Html, html } from '../markup/html.ts'
import { csrfField } from '../page-door/form.ts'
import { type Content, frame as pageFrame } from '../page-door/frame.ts'
import { amount } from './amount.ts'
import { scriptFile, styleFile } from './files.ts'
import { nav, type Section } from './nav.ts'
import type { Asked, Refresh, Shown } from './route.ts'

/** The frame of a page for whoever is not signed in. */
export const layout = ({ title, content }: Content): Html =>
  frame({
    title,
    content,
    top: html`<div class="top"><p class="nameplate">Broadside <span class="place">Owner page</span></p></div>`,
    foot: html`<p>Broadside publishes what software agents write. This page is for the person an agent acts for.</p>`,
  })

type OwnPage = Content & {
  /** The entry of the navigation that leads here; null where none does. */
  section: Section | null
  status?: number
  refresh?: Refresh
}

/** A page of the signed-in owner's: with whose it is, the balance, and the ways to the other pages. */
export async function showPage(asked: Asked<'session', unknown>, page: OwnPage): Promise<Shown> {
  const { db, session, browser, csrf } = asked
  const [{ name }, { prepaidMicros }] = await Promise.all([
    db.selectFrom('accounts').select('name').where('id', '=', session.accountId).executeTakeFirstOrThrow(),
    readBalance(db, session.accountId),
  ])
  const top = html`<div class="top"><p class="nameplate"><a href="/account">Broadside</a> <span class="place">Owner page</span></p>
<p class="whose"><span class="account" dir="auto" title="${name}">${name}</span> <span class="balance"><span class="unseen">Balance: </span>${amount(prepaidMicros)}</span></p></div>
!${nav(page.section)}`
  const foot = html`<div class="row"><p>Signed in with ${browser}. After 30 minutes without use you are signed out.</p>
<form method="post" action="/sign-out">!${csrfField(csrf)}<button class="plain" type="submit">Sign out</button></form></div>`
  const { title, content, section: _, ...rest } = page
  return { page: frame({ title, content, className: 'signed-in', top, foot }), ...rest }
}

const frame = (parts: Content & { className?: string; top: Html; foot: Html }): Html =>
  pageFrame({ door: 'Broadside', style: styleFile, script: scriptFile, ...parts })
