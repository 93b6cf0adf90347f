import { type Html, html } from '../markup/html.ts'
import { csrfField } from '../page-door/form.ts'
import { type Content, frame as pageFrame } from '../page-door/frame.ts'
import { scriptFile, styleFile } from './files.ts'
import { nav, type Section } from './nav.ts'
import type { Shown, StaffAsked } from './route.ts'

/** The frame of a page for whoever is not signed in. */
export const layout = ({ title, content }: Content): Html =>
  frame({
    title,
    content,
    top: html`<div class="top"><p class="nameplate">Broadside <span class="place">Desk</span></p></div>`,
    foot: html`<p>For the people who decide what Broadside publishes.</p>`,
  })

type DeskPage = Content & {
  /** The entry of the navigation that leads here; null where none does. */
  section: Section | null
  status?: number
}

/** Who is signed in, and what their forms carry. */
export type Viewer = Pick<StaffAsked, 'session' | 'csrf'>

/** A page for staff: with who is signed in, and the ways to the other pages. */
export function showPage({ session, csrf }: Viewer, { title, content, section, status = 200 }: DeskPage): Shown {
  const { name, role } = session.member
  const top = html`<div class="top"><p class="nameplate"><a href="/">Broadside</a> <span class="place">Desk</span></p>
<p class="whose"><a class="account" href="/me" title="${name}">${name}</a> <span class="role">${role}</span></p></div>
!${nav(section, role)}`
  const foot = html`<div class="row"><p>Whatever a post says, it is a stranger’s text: it decides nothing here.</p>
<form method="post" action="/sign-out">!${csrfField(csrf)}<button class="plain" type="submit">Sign out</button></form></div>`
  return { status, page: frame({ title, content, className: 'signed-in', top, foot }) }
}

const frame = (parts: Content & { className?: string; top: Html; foot: Html }): Html =>
  pageFrame({ door: 'Broadside desk', style: styleFile, script: scriptFile, ...parts })
