import { kinds } from '../../kinds/index.ts'
import { prose } from '../../kinds/presentation/prose.ts'
import { type Html, html } from '../../markup/html.ts'
import { amount } from '../../markup/money.ts'
import { when } from '../../web-pages/elements.ts'
import { csrfField } from '../../web-pages/form.ts'
import { shortTitle } from '../posts/post-labels.ts'
import type { OwnDraft } from './read-drafts.ts'

type Form = { csrf: string; path: string; isAllSelected: boolean }

/** The drafts that wait for approval, in one form: a box for each, buttons for one, and buttons for all that are selected. */
export function waitingForm(drafts: readonly OwnDraft[], { csrf, path, isAllSelected }: Form): Html {
  const total = amount(drafts.reduce((sum, { total_micros }) => sum + total_micros, 0))
  const select = isAllSelected
    ? html`<a href="${path}">Select none</a>`
    : html`<a href="${path}?select=all">Select all</a>`
  return html`<form method="post" action="${path}" class="drafts">!${csrfField(csrf)}
<p>${countOf(drafts.length)}, ${total} in total. !${drafts.length > 1 ? select : ''}</p>
<ul>!${drafts.map((draft) => waitingDraft(draft, isAllSelected)).join('\n')}</ul>
!${drafts.length > 1 ? selectedButtons : ''}</form>`
}

export const countOf = (count: number): string => (count === 1 ? '1 draft' : `${count} drafts`)

const selectedButtons = html`<div class="buttons selected" role="group" aria-label="Selected drafts">
<button class="button" type="submit" name="decision" value="approve">Approve selected</button>
<button class="button quiet danger" type="submit" name="decision" value="decline">Decline selected</button></div>`

function waitingDraft(draft: OwnDraft, isSelected: boolean): Html {
  const { id } = draft
  return html`<li><article class="card draft" aria-labelledby="of-${id}">
<label class="choice" id="of-${id}"><input type="checkbox" name="${id}" value="on"!${isSelected ? html` checked` : ''}> <span dir="auto">${wholeText(draft) ?? shortTitle(draft)}</span></label>
!${factLine(draft)}
!${draftText(draft)}
<div class="buttons"><button class="button" type="submit" name="one" value="approve ${id}" aria-describedby="of-${id}">Approve</button>
<button class="button quiet danger" type="submit" name="one" value="decline ${id}" aria-describedby="of-${id}">Decline</button></div></article></li>`
}

function factLine({ kind, total_micros, key_name, publish_at, expires_at, created_at }: OwnDraft): Html {
  const noun = kinds.find(({ name }) => name === kind)?.site.noun ?? kind
  const time = publish_at ? html`, to be published !${when(publish_at)}` : ''
  return html`<p class="small"><strong>${noun}, ${amount(total_micros)}</strong>!${time}. From “<bdi>${key_name}</bdi>”, !${when(created_at)}.!${expires_at ? html` Expires !${when(expires_at)}.` : ''}</p>`
}

/** A longer text is folded, so that a phone shows several drafts. */
const foldedFrom = 400

/** The text of a short post that has no title and one paragraph. It is its own heading. */
function wholeText({ kind, content }: OwnDraft): string | null {
  const known = kinds.find(({ name }) => name === kind)
  if (!known || !content || known.presentation.hasTitle) return null
  const words = known.presentation.text(content)
  return words.length > foldedFrom || words.includes('\n') ? null : words
}

/** Everything that would be published and is not in the heading. It is shown as text, never as markup. */
function draftText(draft: OwnDraft): Html {
  const { kind, content } = draft
  const known = kinds.find(({ name }) => name === kind)
  if (!known || !content) return ''
  const { hasTitle, headline, text, facts } = known.presentation
  const topics = known.texts(content).filter(({ field }) => field.startsWith('topics'))
  const shown = [
    ...facts(content),
    ...(topics.length > 0 ? [{ label: 'Topics', value: topics.map((topic) => topic.text).join(', ') }] : []),
  ]
  const isInHeading = wholeText(draft) !== null
  if (isInHeading && shown.length === 0) return ''
  const words = isInHeading ? '' : text(content)
  const whole = html`<div class="quoted">!${hasTitle ? html`<p dir="auto"><strong>${headline(content)}</strong></p>` : ''}!${prose(words)}
!${shown.length > 0 ? html`<dl class="facts">!${shown.map(({ label, value }) => html`<div><dt>${label}</dt><dd dir="auto">${value}</dd></div>`).join('')}</dl>` : ''}</div>`
  return words.length > foldedFrom ? html`<details><summary>Read the whole text</summary>!${whole}</details>` : whole
}

/** Drafts that are submitted later, or in a moment. The owner can still decline them. */
export function scheduledSection(drafts: readonly OwnDraft[], { csrf, path }: Pick<Form, 'csrf' | 'path'>): Html {
  if (drafts.length === 0) return ''
  const row = (draft: OwnDraft) => html`<tr>
<td class="when" data-label="When">!${draft.publish_at ? when(draft.publish_at) : html`in a moment`}</td>
<td class="lead wide" data-label="Draft"><span dir="auto">${shortTitle(draft)}</span></td>
<td class="amount" data-label="Price">${amount(draft.total_micros)}</td>
<td><form method="post" action="${path}">!${csrfField(csrf)}<button class="button quiet danger slight" type="submit" name="one" value="decline ${draft.id}">Decline</button></form></td></tr>`
  return html`<section aria-labelledby="scheduled"><h2 id="scheduled">Scheduled</h2>
<p class="small">${countOf(drafts.length)} will be charged and submitted at ${drafts.length === 1 ? 'its' : 'their'} time.</p>
<table class="cards led"><thead><tr><th scope="col">When</th><th scope="col">Draft</th><th scope="col" class="amount">Price</th><th scope="col"><span class="unseen">Actions</span></th></tr></thead>
<tbody>!${drafts.map(row).join('\n')}</tbody></table></section>`
}
