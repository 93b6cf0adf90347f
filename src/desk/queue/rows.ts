import type { CaseKind } from '../../cases/case-kinds.ts'
import { dueSoonSeconds, partOf, type QueuedCase, type QueuePart } from '../../cases/queue.ts'
import { type Html, html } from '../../markup/html.ts'
import { unknownLevel } from '../../policy/category.ts'
import { mayDo } from '../../staff/roles.ts'
import { csrfField } from '../../web-pages/form.ts'
import { caseUrl } from '../case/address.ts'
import { age, categoryTitle, counted, dueText, harmBadge, harmName, kindWords, nounOf } from '../case/labels.ts'
import type { StaffRequest } from '../route.ts'

const dueSoonHours = dueSoonSeconds / 3_600

/** The order of the queue in one sentence. */
export const orderWords = `Urgent harm comes first, then cases due within ${dueSoonHours} hours, then the rest by harm and age. Audits come last.`

/** What the rows need besides the cases: the kind that the reviewer filters by, and what was read for these rows. */
export type Listed = {
  kind: CaseKind | undefined
  at: Date
  /** Author names by account id. */
  authors: ReadonlyMap<string, string>
  /** The first line of each text, by case key. */
  lines: ReadonlyMap<string, string | null>
}

/** The waiting cases in queue order, in groups that say why they are where they are. Without holders, there is no column for them. */
export function caseTable(asked: StaffRequest, cases: readonly QueuedCase[], listed: Listed): Html {
  const showsHolders = cases.some(({ mine, barred, claimed_by }) => mine || barred || claimed_by !== null)
  const groups = [...Map.groupBy(cases, (found) => groupOf(found, listed.at))]
  return html`<table class="waiting"><thead><tr><th scope="col">Case</th><th scope="col">Suspected harm</th><th scope="col">Waiting</th>!${showsHolders ? html`<th scope="col">Held by</th>` : ''}</tr></thead>
!${groups
    .map(
      ([
        group,
        those,
      ]) => html`<tbody><tr class="group"><th colspan="${showsHolders ? 4 : 3}" scope="rowgroup">!${group}</th></tr>
!${those.map((found) => row(asked, found, listed, showsHolders)).join('')}</tbody>`,
    )
    .join('\n')}</table>`
}

/** The heading of a group. Within a level of harm, the oldest case is first. */
function groupOf(found: QueuedCase, at: Date): Html {
  const { name, order } = groups[partOf(found, at)](found)
  return html`${name} <span class="soft">${order}</span>`
}

const groups: Record<QueuePart, (found: QueuedCase) => { name: string; order: string }> = {
  urgent: () => ({ name: 'Urgent harm', order: 'always first' }),
  due_soon: () => ({ name: `Due within ${dueSoonHours} hours`, order: 'most harmful first, then oldest' }),
  by_harm: ({ harm }) => ({
    name: `${harmName(harm)}${harm === unknownLevel ? ' or unknown' : ''} harm`,
    order: 'oldest first',
  }),
  audit: () => ({ name: 'Audits', order: 'last, because nobody is waiting for them' }),
}

function row(
  asked: StaffRequest,
  found: QueuedCase,
  { at, kind: chosen, authors, lines }: Listed,
  showsHolders: boolean,
): Html {
  const { key, kind, site, edit, categories, since, due_at, reports } = found
  const { noun, one } = nounOf(asked.sites, site)
  const about = edit > 0 ? `edit of ${one}` : noun
  const named = [...new Set(categories)].map(categoryTitle).join(', ')
  const extra = reports > 1 ? html` <span class="soft">${counted(reports, 'report')}</span>` : ''
  return html`<tr!${found.mine ? html` class="mine"` : ''}><td class="lead"><p class="top"><a href="${caseUrl(key, chosen)}">${kindWords[kind].one}: ${about}</a>!${extra} <span class="by" dir="auto">${authors.get(found.account_id) ?? ''}</span></p>!${beginning(lines.get(key) ?? null)}</td>
<td class="wide">!${harmBadge(found)} !${named ? html`${named}` : html`<span class="soft">no category</span>`}</td>
<td class="when">!${age(since, at)}!${due_at ? html` <span class="due">${due_at > at ? 'due ' : ''}!${dueText(due_at, at)}</span>` : ''}</td>
!${showsHolders ? holder(asked, found) : ''}</tr>`
}

const beginning = (line: string | null): Html =>
  line === null
    ? html`<p class="soft">The text is no longer stored.</p>`
    : html`<p class="beginning" dir="auto" lang="" data-content-trust="untrusted-user-content">${line}</p>`

function holder({ session, csrf }: StaffRequest, { key, mine, barred, claimed_by, claimed_by_name }: QueuedCase): Html {
  if (mine) return html`<td><strong>you</strong></td>`
  if (!claimed_by) return barred ? html`<td><span class="soft">not for you</span></td>` : html`<td></td>`
  const free = html` <form class="free" method="post" action="${caseUrl(key)}/free">!${csrfField(csrf)}<button class="button quiet slight" type="submit">Release<span class="unseen"> the case held by ${claimed_by_name}</span></button></form>`
  return html`<td>${claimed_by_name}!${mayDo(session.member.role, 'lead') ? free : ''}</td>`
}
