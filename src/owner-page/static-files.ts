import { staticFile } from '../web-pages/static-files.ts'
import { contents, forms, frameStyle } from '../web-pages/style.ts'

/**
 * The only script in the browser: a button that copies the field next to it. Without it, people select the field by
 * hand.
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
 * A page for the signed-in owner uses `showOwnerPage` of layout.ts, others use `ownerLayout` or `ownerNotePage`; form.ts
 * has the fields, money.ts formats amounts.
 *
 * The classes that pages use. Elements have no inline styles: the content security policy forbids them.
 *
 * Heads: `<p class="crumbs"><a …>` above an h1; `p.lede` below it; `p.small` and `.soft` for less important text.
 * Buttons: `.button` (an a or a button), with `.quiet` for the second choice, `.danger` for actions that cannot be undone;
 *   `div.buttons` puts several in a row.
 * Fields: `div.field` holds label, input and `p.hint` or `p.error` (see `textField` of form.ts); `fieldset.choices`
 *   holds radio buttons, each in a `label.choice`; `form.act` puts a short form on a separate line.
 * Copying: `div.copy` holds a read-only input and `<button class="button quiet" hidden data-copies="id">`.
 * Tables: `<div class="table" role="region" aria-label="…" tabindex="0"><table>` scrolls by itself when it is too wide;
 *   `table.cards` becomes a card for each row on a phone, where each td shows its `data-label`, and a td of class
 *   `none` is hidden; `table.cards.led` begins each card with its `td.lead` and `td.amount`. `.amount` is for figures,
 *   `.when` for times, `.wide` for text that may break anywhere.
 * Notices: `<div class="notice">` with `.good`, `.warn` or `.bad`; it holds an h2 or a strong, and paragraphs.
 * Cards: `section.card`; `div.grid` puts them side by side if there is space, `.uneven` makes the second wider.
 * Definition lists: `dl.facts` with a div around each dt and dd.
 * Badges: `badge` of elements.ts: `span.badge` with `.good`, `.warn` or `.bad`.
 * Empty states: `div.empty`, with a first paragraph that states it and a second that says what to do.
 * Text by an agent: `div.quoted`, with `dir="auto"`.
 */
export const ownerStyle = [frameStyle, forms, contents].join('\n')

export const ownerStyleFile = staticFile('/owner-page.css', 'text/css', ownerStyle)
export const ownerScriptFile = staticFile('/owner-page.js', 'text/javascript', ownerScript)
