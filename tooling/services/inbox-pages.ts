import { html } from 'ghtml'

/** All messages, newest first. */
export const listPage = (box: readonly Mail[], smtpPort: number): string =>
  layout(
    'Inbox',
    html`<header>
        <h1>Inbox</h1>
        <a class="button" href="/">Refresh</a>
      </header>
      <p class="quiet">Development mail, received on <code>127.0.0.1:${smtpPort}</code>. Nothing leaves this machine.</p>
      !${box.length === 0 ? emptyState : html`<ol class="box">!${box.toReversed().map(listItem)}</ol>`}`,
  )

const emptyState = html`<section class="box empty">
  <svg viewBox="0 0 48 48" width="48" height="48" fill="none" stroke="currentColor" stroke-width="2" aria-hidden="true">
    <path d="M6 28 13 10h22l7 18v10H6Z" stroke-linejoin="round" />
    <path d="M6 28h11l3 5h8l3-5h11" stroke-linejoin="round" />
  </svg>
  <h2>No mail yet.</h2>
  <p class="quiet">Messages that Broadside sends appear here. Refresh to check again.</p>
</section>`

const listItem = (mail: Mail): string =>
  html`<li>
    <a href="/email/${mail.id}">
      <span class="line"><strong>!${subjectOf(mail)}</strong>!${timeOf(mail)}</span>
      <span class="quiet"><bdi>${mail.from}</bdi> to <bdi>${mail.to.join(', ')}</bdi></span>
    </a>
  </li>`

/** One message: its markup in a sandboxed frame, its text, its headers, and the bytes that were sent. */
export const messagePage = (mail: StoredMail): string =>
  layout(
    mail.subject || 'No subject',
    html`<nav><a href="/">← Inbox</a></nav>
      <h1>!${subjectOf(mail)}</h1>
      <dl>
        <dt>From</dt>
        <dd><bdi>${mail.from}</bdi></dd>
        <dt>To</dt>
        <dd><bdi>${mail.to.join(', ')}</bdi></dd>
        <dt>Received</dt>
        <dd>!${timeOf(mail)}</dd>
      </dl>
      !${mail.html && frameOf(mail)}
      !${mail.text && html`<h2>Text</h2><pre class="box">!${linked(mail.text)}</pre>`}
      !${mail.text || mail.html ? '' : html`<p class="box empty quiet">This message has no body.</p>`}
      !${headersOf(mail)}
      <details class="box">
        <summary>Raw message <small class="quiet">${mail.raw.length.toLocaleString('en')} bytes</small></summary>
        <p><a href="/email/${mail.id}/raw">Open it alone</a></p>
        <pre>${mail.raw.toString()}</pre>
      </details>`,
  )

const headersOf = ({ headers }: StoredMail): string =>
  html`<details class="box">
    <summary>Headers <small class="quiet">${headers.length}</small></summary>
    <dl>
      !${headers.map(
        ({ name, value }) =>
          html`<dt>${name}</dt>
            <dd><bdi>${value}</bdi></dd>`,
      )}
    </dl>
  </details>`

const frameOf = ({ id }: Mail): string =>
  html`<h2>HTML <small class="quiet">Scripts, links and remote images are disabled.</small></h2>
    <iframe class="box" sandbox src="/email/${id}/html" title="The message as HTML"></iframe>`

export const missingPage = (): string =>
  layout(
    'Not found',
    html`<nav><a href="/">← Inbox</a></nav>
      <section class="box empty">
        <h2>This message is gone.</h2>
        <p class="quiet">The inbox is kept in memory: it was restarted, or filled with newer mail.</p>
      </section>`,
  )

const subjectOf = ({ subject }: Mail) => (subject ? html`<bdi>${subject}</bdi>` : '<em class="quiet">No subject</em>')

const timeOf = ({ received_at }: Mail) =>
  html`<time class="quiet" datetime="${received_at}">${timeFormat.format(new Date(received_at))}</time>`

const timeFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})

// The sandboxed frame disables links, so the links in the text must work.
const linked = (text: string): string =>
  text
    .split(/(https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]])/)
    .map((part, index) => (index % 2 ? html`<a href="${part}" rel="noreferrer">${part}</a>` : html`${part}`))
    .join('')

const layout = (title: string, main: string): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Broadside mail</title>
        <style>
          !${styles}
        </style>
      </head>
      <body>
        <main>!${main}</main>
      </body>
    </html>`

const styles = `
  :root {
    color-scheme: light dark;
    --paper: light-dark(#f6f5f2, #16171a);
    --sheet: light-dark(#ffffff, #1f2125);
    --ink: light-dark(#1d1e21, #ecebe7);
    --quiet: light-dark(#62656c, #a2a5ad);
    --edge: light-dark(#e1dfd9, #33363c);
    --link: light-dark(#1a4fc4, #8fb4ff);
  }
  * { box-sizing: border-box; }
  body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
  main { max-width: 48rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; overflow-wrap: anywhere; }
  header { display: flex; align-items: center; justify-content: space-between; gap: 1rem; }
  h1 { margin: 0; font-size: 1.625rem; line-height: 1.25; letter-spacing: -0.01em; }
  h2 { margin: 2rem 0 0.5rem; font-size: 1rem; }
  h2 small { margin-left: 0.5rem; font-weight: 400; }
  a { color: var(--link); }
  a:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
  nav { margin-bottom: 1.25rem; }
  nav a { text-decoration: none; }
  .quiet { color: var(--quiet); }
  .button { padding: 0.375rem 0.875rem; border: 1px solid var(--edge); border-radius: 0.5rem;
    background: var(--sheet); color: var(--ink); font-size: 0.875rem; text-decoration: none; }
  .button:hover { border-color: var(--quiet); }
  .box { margin: 0; padding: 0; border: 1px solid var(--edge); border-radius: 0.75rem;
    background: var(--sheet); overflow: hidden; }
  header + p { margin: 0.25rem 0 1.5rem; }
  code, pre { font-family: ui-monospace, monospace; font-size: 0.9em; }
  ol { list-style: none; }
  li + li { border-top: 1px solid var(--edge); }
  li a { display: block; padding: 0.875rem 1.125rem; color: inherit; text-decoration: none; }
  li a:hover { background: color-mix(in srgb, var(--link) 7%, transparent); }
  li a:focus-visible { outline-offset: -2px; border-radius: 0.75rem; }
  .line { display: flex; justify-content: space-between; gap: 0.25rem 1rem; }
  .line strong { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden;
    font-weight: 600; }
  em { font-weight: 400; }
  li time, li a > .quiet { font-size: 0.875rem; }
  time { flex: none; font-variant-numeric: tabular-nums; }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1.25rem; margin: 1rem 0 0; }
  dt { color: var(--quiet); }
  dd { margin: 0; }
  dd .quiet { color: inherit; }
  pre { margin: 0; white-space: pre-wrap; line-height: 1.6; }
  pre.box { padding: 1.125rem; }
  details.box { margin-top: 1rem; padding: 0 1.125rem; }
  details.box[open] { padding-bottom: 1.125rem; }
  summary { padding: 0.75rem 0; cursor: pointer; font-weight: 600; }
  summary small { margin-left: 0.5rem; font-weight: 400; }
  summary:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
  details dl { margin: 0; font-size: 0.9em; }
  iframe { display: block; width: 100%; height: 40rem; resize: vertical; background: #ffffff; color-scheme: light; }
  .empty { padding: 3.5rem 1.5rem; text-align: center; }
  .empty h2 { margin: 0.75rem 0 0.25rem; font-size: 1.125rem; }
  .empty p { margin: 0; }
  .empty svg { color: var(--quiet); }
  @media (max-width: 36rem) {
    main { padding-top: 1.5rem; }
    .line { flex-direction: column; }
  }
`

/** An email as the inbox lists it. `to` contains all recipients, including blind copies. */
export type Mail = {
  id: string
  from: string
  to: string[]
  subject: string
  text: string
  html: string
  received_at: string
}

/** What the pages show besides: every header as it was sent, and the whole message. */
export type StoredMail = Mail & { headers: { name: string; value: string }[]; raw: Buffer }
