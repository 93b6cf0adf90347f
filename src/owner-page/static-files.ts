import { staticFile } from '../web-pages/static-files.ts'
import { contents, forms, frameStyle } from '../web-pages/style.ts'

/**
 * The only script in the browser: buttons that copy the field next to them. Without the script, the buttons stay hidden
 * and people select the field themselves.
 */
export const ownerScript = `
for (const button of document.querySelectorAll('button[data-copies]')) {
  button.hidden = false
  button.addEventListener('click', async () => {
    const field = document.getElementById(button.dataset.copies)
    field.select()
    await navigator.clipboard.writeText(field.value)
    button.textContent = 'Copied'
  })
}
`

/** The overview and the posts. */
const overviewStyle = `
@media (min-width: 40.01rem) { .spending { table-layout: fixed } }
.spending thead th { white-space: normal; overflow-wrap: anywhere; vertical-align: bottom }
.switch ul { display: flex; gap: 1.25rem; list-style: none; margin: 0; padding: 0 }
.switch a { display: inline-block; padding: .35rem 0; color: var(--soft); text-decoration: none }
.switch a:hover { color: var(--ink) }
.switch [aria-current] { color: var(--ink); font-weight: 600; box-shadow: inset 0 -3px 0 var(--mark) }
.switch + table { margin-top: .75rem }
@media (min-width: 40.01rem) { table.posts td.lead { width: 45% } }
.facts .needs { margin: .25rem 0 0; padding-inline-start: 1.1rem }
.heading .button { font-size: 1rem; align-self: center }
.about { margin-top: 2.75rem }
.about h3 { margin: 1.75rem 0 .5rem }
.prices + .small { margin-top: .75rem }
.heading:has(h1) { margin-bottom: 1.5rem }
.about .facts { margin-bottom: 0 }
.prices th { font-weight: 400 }
.prices td { text-align: end }
`

/** The list of drafts, for thumbs: each row can be tapped, and the buttons for the selected drafts stay in view. */
const draftsStyle = `
.drafts ul { list-style: none; margin: 0; padding: 0 }
.drafts li { margin: 0 0 1rem }
.draft .choice { font: 600 1.0625rem/1.4 var(--plain); min-height: 2.75rem; padding: .5rem 0; overflow-wrap: anywhere; min-width: 0 }
.draft .choice span { min-width: 0 }
.draft .choice input { width: 1.5rem; height: 1.5rem; flex: none; margin-top: 0 }
.draft .quoted { margin-bottom: .5rem }
.draft .quoted .facts { margin: .5rem 0 0 }
.draft .buttons { margin-top: .75rem }
.buttons.selected { position: sticky; bottom: 0; background: var(--paper); border-top: 1px solid var(--ink); padding: .75rem 0; margin: 0 0 1.5rem }
@media (max-width: 40rem) { .draft .buttons .button, .buttons.selected .button { flex: 1 1 8rem } }
`

/**
 * A page for the signed-in owner uses `showOwnerPage` from layout.ts; other pages use `ownerLayout` or `ownerNotePage`.
 * form.ts renders fields, and money.ts formats amounts.
 *
 * Pages use these classes. Elements have no inline styles: the content security policy forbids them.
 *
 * Headings: `<p class="crumbs"><a …>` above an h1; `p.lede` below it; `p.small` and `.soft` for less important text.
 * Buttons: `.button` (an `a` or a `button`), with `.quiet` for secondary actions and `.danger` for actions that cannot be
 *   undone; `div.buttons` puts several in a row.
 * Fields: `div.field` contains a label, an input and `p.hint` or `p.error` (see `textField` in form.ts);
 *   `fieldset.choices` contains radio buttons, each in a `label.choice`; `form.act` puts a short form on a separate line.
 * Copying: `div.copy` contains a read-only input and `<button class="button quiet" hidden data-copies="id">`.
 * Tables: `<div class="table" role="region" aria-label="…" tabindex="0"><table>` scrolls when it is too wide;
 *   `table.cards` becomes a card for each row on a phone, where each td shows its `data-label`, and a td of class
 *   `none` is hidden; `table.cards.led` begins each card with its `td.lead` and `td.amount`. `.amount` is for figures,
 *   `.when` for times, `.wide` for text that may break anywhere.
 * Notices: `<div class="notice">` with `.good`, `.warn` or `.bad`; it contains an `h2` or a `strong`, and paragraphs.
 * Cards: `section.card`; `div.grid` puts them side by side if there is space, `.uneven` makes the second wider.
 * Definition lists: `dl.facts` with a div around each dt and dd.
 * Badges: `badge` from elements.ts renders `span.badge` with `.good`, `.warn` or `.bad`.
 * Empty states: `div.empty`; its first paragraph says that there is nothing here, its second says what to do.
 * Drafts: `form.drafts` contains a list of `article.card.draft`, and `div.buttons.selected`, which stays in view.
 * Text from an agent: `div.quoted`, with `dir="auto"`.
 */
export const ownerStyle = [frameStyle, forms, contents, overviewStyle, draftsStyle].join('\n')

export const ownerStyleFile = staticFile('/owner-page.css', 'text/css', ownerStyle)
export const ownerScriptFile = staticFile('/owner-page.js', 'text/javascript', ownerScript)
