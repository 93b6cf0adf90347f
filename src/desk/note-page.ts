import { type Html, html } from '../markup/html.ts'
import { layout, showPage, type Viewer } from './layout.ts'
import type { Shown } from './route.ts'

/** A page that says one thing, to whoever is there. */
export const notePage = ({ title, content }: { title: string; content: Html }): Html =>
  layout({ title, content: html`<h1>${title}</h1>!${content}` })

/** The same within the desk, for staff. */
export const showNote = (viewer: Viewer, status: number, title: string, content: Html): Shown =>
  showPage(viewer, { title, section: null, status, content: html`<h1>${title}</h1>!${content}` })
