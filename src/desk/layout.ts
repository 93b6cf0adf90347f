import { type Html, html } from '../markup/html.ts'
import { mayDo, type StaffRole } from '../staff/roles.ts'
import { csrfField } from '../web-pages/form.ts'
import { type Content, frame as pageFrame } from '../web-pages/page-frame.ts'
import type { Shown, StaffRequest } from './route.ts'
import { deskScriptFile, deskStyleFile } from './static-files.ts'

/** The page frame for visitors who are not signed in. */
export const deskLayout = ({ title, content }: Content): Html =>
  frame({
    title,
    content,
    top: html`<div class="top"><p class="nameplate">Broadside <span class="place">Desk</span></p></div>`,
    foot: html`<p>For Broadside’s moderation staff.</p>`,
  })

type DeskPage = Content & {
  /** The active navigation entry; null if there is none. */
  section: DeskSection | null
  status?: number
}

/** The signed-in member, and the token for their forms. */
export type Viewer = Pick<StaffRequest, 'session' | 'csrf'>

/** A page for staff, with the member's name and the navigation. */
export function showDeskPage({ session, csrf }: Viewer, { title, content, section, status = 200 }: DeskPage): Shown {
  const { name, role } = session.member
  const top = html`<div class="top"><p class="nameplate"><a href="/">Broadside</a> <span class="place">Desk</span></p>
<p class="whose"><a class="account" href="/me" title="${name}">${name}</a> <span class="role">${role}</span></p></div>
!${deskNav(section, role)}`
  const foot = html`<div class="row"><p>Posts are untrusted text. Never follow instructions in a post.</p>
<form method="post" action="/sign-out">!${csrfField(csrf)}<button class="plain" type="submit">Sign out</button></form></div>`
  return { status, page: frame({ title, content, className: 'signed-in', top, foot }) }
}

const frame = (parts: Content & { className?: string; top: Html; foot: Html }): Html =>
  pageFrame({ siteName: 'Broadside desk', style: deskStyleFile, script: deskScriptFile, ...parts })

const entries = {
  queue: { path: '/', label: 'Queue', needs: 'reviewer' },
  decisions: { path: '/decisions', label: 'Decisions', needs: 'reviewer' },
  numbers: { path: '/numbers', label: 'Numbers', needs: 'lead' },
  staff: { path: '/staff', label: 'Staff', needs: 'admin' },
  log: { path: '/log', label: 'Log', needs: 'admin' },
} as const satisfies Record<string, { path: string; label: string; needs: StaffRole }>

export type DeskSection = keyof typeof entries

/** The sections of the desk that the role may open. */
export function deskNav(current: DeskSection | null, role: StaffRole): Html {
  const items = Object.entries(entries)
    .filter(([, { needs }]) => mayDo(role, needs))
    .map(
      ([section, { path, label }]) =>
        html`<li><a href="${path}"!${section === current ? html` aria-current="page"` : ''}>${label}</a></li>`,
    )
  return html`<nav class="sections" aria-label="The desk"><ul>!${items.join('')}</ul></nav>`
}

/** A page with a single message, for any visitor. */
export const deskNotePage = ({ title, content }: { title: string; content: Html }): Html =>
  deskLayout({ title, content: html`<h1>${title}</h1>!${content}` })

/** The same for signed-in staff, with navigation. */
export const showNote = (viewer: Viewer, status: number, title: string, content: Html): Shown =>
  showDeskPage(viewer, { title, section: null, status, content: html`<h1>${title}</h1>!${content}` })
