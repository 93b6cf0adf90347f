import { type Html, html } from '../markup/html.ts'
import type { Shown } from './route.ts'
import type { Notes } from './server.ts'

/** A page with a single message. */
export type Note = { status: number; title: string; content: Html }

/** The messages that the owner page and the desk share. `back` is the link to the first page. */
export const sharedNotes = (back: Html) =>
  ({
    notNow: {
      status: 503,
      title: 'This page is unavailable',
      content: html`<p>A service on our side is not responding. Nothing was changed. Try again in a minute.</p>`,
    },
    noSuchPage: { status: 404, title: 'Page not found', content: html`<p>This page does not exist. !${back}</p>` },
    unreadable: {
      status: 422,
      title: 'The form could not be read',
      content: html`<p>Nothing was changed. Go back and submit the form again. !${back}</p>`,
    },
    notOurForm: {
      status: 403,
      title: 'This form has expired or came from another site',
      content: html`<p>Nothing was changed. Open the page again and submit the form from there. !${back}</p>`,
    },
  }) satisfies Partial<Record<keyof Notes, Note>>

/** For a form that was sent after the session ended. */
export const notSignedInNote = (inactivity: string): Note => ({
  status: 401,
  title: 'You are not signed in',
  content: html`<p>Nothing was changed. Sessions end after ${inactivity} of inactivity.</p>
<p><a class="button" href="/sign-in">Sign in again</a></p>`,
})

/** All messages of a server, rendered in its layout. */
export const renderNotes = (notes: Record<keyof Notes, Note>, show: (note: Note) => Shown): Notes =>
  Object.fromEntries(Object.entries(notes).map(([name, note]) => [name, show(note)])) as Notes
