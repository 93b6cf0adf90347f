import { type Html, html } from '../markup/html.ts'
import { layout, showPage } from './layout.ts'
import type { Asked, Shown } from './route.ts'

/** A page that says one thing. */
export const notePage = ({ title, content }: { title: string; content: Html }): Html =>
  layout({ title, content: html`<h1>${title}</h1>!${content}` })

/** For what does not exist and for what is another's: nobody can tell which. */
export const nothingHere = (asked: Asked<'session', unknown>): Promise<Shown> =>
  showPage(asked, {
    title: 'Nothing is here',
    section: null,
    status: 404,
    content: html`<h1>Nothing is here</h1>
<p>This page does not exist, or is not yours. <a href="/account">Go to your account</a></p>`,
  })
