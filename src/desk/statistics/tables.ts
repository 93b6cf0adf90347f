import { caseKinds } from '../../cases/case-kinds.ts'
import type { AppealsOf, AuditCount, Leaning } from '../../cases/statistics/count-judgements.ts'
import type { DeskPace } from '../../cases/statistics/count-work.ts'
import type { DeskStatistics } from '../../cases/statistics/desk-statistics.ts'
import { type Html, html } from '../../markup/html.ts'
import { shareOfTotal } from '../../policy/moderation-counts.ts'
import { policy } from '../../policy/policy.ts'
import { wilsonInterval } from '../../policy/wilson-interval.ts'
import { kindWords } from '../case/labels.ts'

const leanings = { accept: 'to publish', reject: 'to reject', unsure: 'neither' } as const

/** How often people agreed with the judge in reviews. */
export function agreementCard(counted: readonly Leaning[]): Html {
  const of = (leaned: Leaning['leaned']) => counted.find((one) => one.leaned === leaned) ?? { published: 0, refused: 0 }
  const [accept, reject, unsure] = [of('accept'), of('reject'), of('unsure')]
  const agreed = accept.published + reject.refused
  const compared = agreed + accept.refused + reject.published
  if (compared + unsure.published + unsure.refused === 0)
    return card('Agreement with the judge', html`<p class="soft">No reviews decided.</p>`)
  return card(
    'Agreement with the judge',
    html`<p>!${
      compared === 0
        ? 'The judge leaned neither way on the cases that people decided.'
        : html`People agreed with the judge in <strong>${shareOfTotal(agreed, compared)}</strong>.`
    }</p>
!${numberTable({
      caption: 'Reviews by which way the judge leaned',
      head: ['The judge leaned', 'Published', 'Rejected'],
      rows: (['accept', 'reject', 'unsure'] as const).map((id) => [leanings[id], of(id).published, of(id).refused]),
    })}
<p class="small after">These are the hardest cases: only those where the model was unsure. Reviewers see how it leaned.</p>`,
  )
}

/** Automated penalties: how many a person has reviewed and confirmed. */
export function checksCard({ punished, seen, confirmed, overturned }: DeskStatistics['checks']): Html {
  const decided = confirmed + overturned
  if (punished + decided === 0)
    return card('Checks of automated penalties', html`<p class="soft">No automated penalties.</p>`)
  const found = html`<p>The model was right in <strong>${shareOfTotal(confirmed, decided)}</strong>.</p>
!${numberTable({
    caption: 'Checks by result',
    head: ['Result', 'Checks'],
    rows: [
      ['confirmed', confirmed],
      ['overturned', overturned],
    ],
  })}`
  return card(
    'Checks of automated penalties',
    html`!${decided === 0 ? html`<p class="soft">No checks decided.</p>` : found}
<p class="small after">People have reviewed ${shareOfTotal(seen, punished)} of the penalties in this period, in a check, an appeal or otherwise. If many are overturned, the model imposes penalties too easily.</p>`,
  )
}

/** Randomly sampled decisions by the model: how many were right, with a confidence interval. */
export function auditsCard(counted: readonly AuditCount[]): Html {
  if (counted.length === 0) return card('Audits', html`<p class="soft">No decisions sampled.</p>`)
  const [seen, drawn] = counted.reduce(([some, all], one) => [some + one.seen, all + one.drawn], [0, 0])
  return card(
    'Audits',
    html`!${numberTable({
      caption: 'Randomly sampled decisions and review results',
      head: ['The model', 'Reviewed', 'Wrong', 'Right', '95% interval'],
      rows: counted.map((one) => [
        `${one.audited}, ${percent(one.share)} sampled`,
        one.seen,
        one.wrong,
        ...rightOf(one),
      ]),
    })}
<p class="small after">People have reviewed ${shareOfTotal(seen, drawn)} of the decisions sampled in this period, in an audit, a check, a report or an appeal. With fewer than 300 reviewed, the last column means little.</p>`,
  )
}

function rightOf({ seen, wrong }: AuditCount): [string, string] {
  if (seen === 0) return ['–', '–']
  const { low, high } = wilsonInterval(seen - wrong, seen)
  return [percent((seen - wrong) / seen), `${percent(low)} to ${percent(high)}`]
}

const percent = (share: number) => `${Math.round(share * 1_000) / 10}%`

export function appealsCard(counted: readonly AppealsOf[]): Html {
  const rows = [true, false].map((automated) => {
    const { upheld, dismissed } = counted.find((one) => one.automated === automated) ?? { upheld: 0, dismissed: 0 }
    return [automated ? 'The model' : 'A person', upheld, dismissed] as const
  })
  const [upheld, decided] = rows.reduce(([won, all], [, up, down]) => [won + up, all + up + down], [0, 0])
  return card(
    'Appeals',
    decided === 0
      ? html`<p class="soft">No appeals decided.</p>`
      : html`<p>The author was right in <strong>${shareOfTotal(upheld, decided)}</strong>.</p>
!${numberTable({ caption: 'Appeals by original decider', head: ['Originally decided by', 'Overturned', 'Kept'], rows })}`,
  )
}

export const waitsCard = (waited: DeskPace['waited']): Html =>
  card(
    'Waiting times',
    waited.length === 0
      ? html`<p class="soft">No cases decided.</p>`
      : numberTable({
          caption: 'Cases decided, and the time from opening to deciding them',
          head: ['Kind', 'Decided', 'Median', '95th percentile'],
          rows: caseKinds.flatMap((kind) => {
            const of = waited.find((one) => one.kind === kind)
            return of ? [[kindWords[kind].title, of.count, howLong(of.median), howLong(of.p95)]] : []
          }),
        }),
  )

export const card = (title: string, content: Html): Html =>
  html`<section class="card"><h3>${title}</h3>!${content}</section>`

/** Every policy category, in policy order. */
export const categoriesTable = ({ totals, categories }: DeskStatistics): Html =>
  numberTable({
    caption: 'Suspicions, reports, rejections and reversals by policy category',
    head: ['Category', 'Suspected', 'Reported', 'Rejected by the model', 'Rejected or removed by people', 'Overturned'],
    rows: policy.categories.map(({ id, title }) => [
      title,
      categories.get(id)?.suspected ?? 0,
      totals[`reports_${id}`],
      totals[`rejections_${id}_automated`],
      totals[`rejections_${id}_person`] + totals[`removals_${id}`],
      categories.get(id)?.overturned ?? 0,
    ]),
  })

type NumberTable = {
  caption: string
  /** The first entry is the heading of the column with the row names. */
  head: readonly string[]
  rows: readonly (readonly (string | number)[])[]
}

/** A table of numbers. A wide table scrolls separately, so it can be focused with the keyboard. */
export function numberTable({ caption, head, rows }: NumberTable): Html {
  const [first = '', ...others] = head
  return html`<section class="table" aria-label="${caption}" tabindex="0"><table class="numbers"><caption class="unseen">${caption}</caption>
<thead><tr><th scope="col">${first}</th>!${others.map((name) => html`<th scope="col" class="amount">${name}</th>`).join('')}</tr></thead>
<tbody>!${rows.map(row).join('')}</tbody></table></section>`
}

const row = ([name = '', ...cells]: readonly (string | number)[]): Html =>
  html`<tr><th scope="row">${name}</th>!${cells.map((cell) => html`<td class="amount!${cell === 0 ? ' nil' : ''}">${cell.toLocaleString('en')}</td>`).join('')}</tr>`

/** `42 s`, `7 min`, `3 h 20 min`, `2 days 4 h`: only as precise as is useful. */
export function howLong(seconds: number): string {
  if (seconds < 59.5) return `${Math.round(seconds)} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  if (hours < 24) return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`
  const days = Math.floor(hours / 24)
  const named = days === 1 ? '1 day' : `${days} days`
  return hours % 24 === 0 ? named : `${named} ${hours % 24} h`
}
