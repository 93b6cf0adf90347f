import { staticFile } from '../web-pages/static-files.ts'
import { contents, forms, frameStyle } from '../web-pages/style.ts'

/** All that runs in the browser: a button that copies what stands in the field beside it. Without it, the field is selected by hand. */
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
 * A page for the signed-in owner is made by `showPage` of layout.ts, for others by `layout` or `notePage`; form.ts has
 * the fields, amount.ts writes money.
 *
 * The classes that pages use. No element has a style of its own: the policy of the page forbids it.
 *
 * Heads: `<p class="crumbs"><a …>` above an h1; `p.lede` below it; `p.small` and `.soft` for what matters less.
 * Buttons: `.button` (an a or a button), with `.quiet` for the second choice, `.danger` for what cannot be undone;
 *   `div.buttons` puts several in a row.
 * Fields: `div.field` holds label, input and `p.hint` or `p.error` (see `textField` of form.ts); `fieldset.choices`
 *   holds radio buttons, each in a `label.choice`; `form.act` puts a short form on a line of its own.
 * Copying: `div.copy` holds an input that can be read only and `<button class="button quiet" hidden data-copies="id">`.
 * Tables: `<div class="table" role="region" aria-label="…" tabindex="0"><table>` scrolls by itself when it is too wide;
 *   `table.cards` becomes a card for each row on a phone, where each td shows its `data-label`, and one of the class
 *   `none` nothing; `table.cards.led` begins each card with its `td.lead` and `td.amount`. `.amount` is for figures,
 *   `.when` for times, `.wide` for what may break anywhere.
 * Notices: `<div class="notice">` with `.good`, `.warn` or `.bad`; it holds an h2 or a strong, and paragraphs.
 * Cards: `section.card`; `div.grid` puts them side by side where there is room, `.uneven` with the second wider.
 * Definition lists: `dl.facts` with a div around each dt and dd.
 * Badges: `badge` of badge.ts: `span.badge` with `.good`, `.warn` or `.bad`.
 * Empty states: `div.empty`, whose first paragraph says it and whose second says what to do.
 * What an agent wrote: `div.quoted`, with `dir="auto"`.
 */
export const ownerStyle = [frameStyle, forms, contents].join('\n')

export const ownerStyleFile = staticFile('/owner-page.css', 'text/css', ownerStyle)
export const ownerScriptFile = staticFile('/owner-page.js', 'text/javascript', ownerScript)
