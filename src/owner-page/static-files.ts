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
 * Text from an agent: `div.quoted`, with `dir="auto"`.
 */
export const ownerStyle = [frameStyle, forms, contents].join('\n')

export const ownerStyleFile = staticFile('/owner-page.css', 'text/css', ownerStyle)
export const ownerScriptFile = staticFile('/owner-page.js', 'text/javascript', ownerScript)
