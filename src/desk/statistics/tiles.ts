import type { CaseCount } from '../../cases/queue.ts'
import { casesCounted, type DeskStatistics } from '../../cases/statistics/desk-statistics.ts'
import { type Html, html } from '../../markup/html.ts'
import { badge } from '../../web-pages/elements.ts'
import { kindWords, upTo } from '../case/labels.ts'
import { howLong } from './tables.ts'

/** How many cases of each kind are waiting, and the age of the oldest. */
export function queueTiles(queue: readonly CaseCount[], at: Date): Html {
  const overdue = queue.reduce((sum, one) => sum + one.overdue, 0)
  const tiles = queue.map(({ kind, open, oldest, overdue: late }) => {
    const { title, says } = kindWords[kind]
    const age = oldest ? `oldest ${howLong((at.getTime() - oldest.getTime()) / 1_000)}` : 'none waiting'
    const note = html`<span>${age}</span>!${late > 0 ? html` !${badge(`${upTo(late, casesCounted)} overdue`, 'bad')}` : ''}`
    return tile({ label: title, under: says, value: upTo(open, casesCounted), note })
  })
  return html`!${overdue > 0 ? overdueNotice(overdue) : ''}<dl class="tiles">!${tiles.join('')}</dl>`
}

const overdueNotice = (count: number): Html =>
  html`<div class="notice bad"><h2>!${count === 1 ? 'A case is' : `${upTo(count, casesCounted)} cases are`} overdue</h2>
<p>The model charged 10× the fee or banned an account, and nobody reviewed the decision within a day. Only urgent cases come before these in the queue: take one now, or ask a colleague to.</p></div>`

/** How many cases the desk decided, and how fast. */
export function paceTiles({ days, pace: { seconds }, undone }: DeskStatistics): Html {
  const decided = days.reduce((sum, one) => sum + Object.values(one.decided).reduce((all, count) => all + count, 0), 0)
  const tiles = [
    { label: 'Decided at the desk', value: decided.toLocaleString('en'), note: 'cases' },
    { label: 'From claim to decision', value: seconds ? howLong(seconds.median) : '–', note: 'median' },
    { label: '95th percentile', value: seconds ? howLong(seconds.p95) : '–', note: '95% took this long or less' },
    { label: 'Undone', value: undone.toLocaleString('en'), note: 'within ten seconds' },
  ]
  return html`<dl class="tiles">!${tiles.map(({ note, ...one }) => tile({ ...one, note: html`<span>${note}</span>` })).join('')}</dl>`
}

type Tile = { label: string; under?: string; value: string; note: Html }

const tile = ({ label, under, value, note }: Tile): Html =>
  html`<div><dt>${label}!${under ? html` <span class="under">${under}</span>` : ''}</dt><dd><b>${value}</b> <span class="note">!${note}</span></dd></div>`
