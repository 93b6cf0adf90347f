import type { CaseCount } from '../../cases/queue.ts'
import type { DeskStatistics } from '../../cases/statistics/desk-statistics.ts'
import { type Html, html } from '../../markup/html.ts'
import { badge } from '../../web-pages/elements.ts'
import { kindWords } from '../case/labels.ts'
import { howLong } from './tables.ts'

/** How much of each kind waits, and since when. */
export function queueTiles(queue: readonly CaseCount[], at: Date): Html {
  const overdue = queue.reduce((sum, one) => sum + one.overdue, 0)
  const tiles = queue.map(({ kind, open, oldest, overdue: late }) => {
    const { title, says } = kindWords[kind]
    const age = oldest ? `oldest ${howLong((at.getTime() - oldest.getTime()) / 1_000)}` : 'none waits'
    const note = html`<span>${age}</span>!${late > 0 ? html` !${badge(`${late} overdue`, 'bad')}` : ''}`
    return tile({ label: title, under: says, value: open.toLocaleString('en'), note })
  })
  return html`!${overdue > 0 ? overdueNotice(overdue) : ''}<dl class="tiles">!${tiles.join('')}</dl>`
}

const overdueNotice = (count: number): Html =>
  html`<div class="notice bad"><h2>!${count === 1 ? 'A case is' : `${count} cases are`} overdue</h2>
<p>The model alone has charged ten-fold or banned, and no person has looked within the day. Only what is urgent goes before it in the queue: take it now, or ask somebody who can.</p></div>`

/** How the desk has worked. */
export function paceTiles({ days, pace: { seconds }, undone }: DeskStatistics): Html {
  const decided = days.reduce((sum, one) => sum + Object.values(one.decided).reduce((all, count) => all + count, 0), 0)
  const tiles = [
    { label: 'Decided at the desk', value: decided.toLocaleString('en'), note: 'cases' },
    { label: 'From claim to decision', value: seconds ? howLong(seconds.median) : '–', note: 'median' },
    { label: 'The slow ones', value: seconds ? howLong(seconds.p95) : '–', note: '19 in 20 took no longer' },
    { label: 'Undone', value: undone.toLocaleString('en'), note: 'taken back in time' },
  ]
  return html`<dl class="tiles">!${tiles.map(({ note, ...one }) => tile({ ...one, note: html`<span>${note}</span>` })).join('')}</dl>`
}

type Tile = { label: string; under?: string; value: string; note: Html }

const tile = ({ label, under, value, note }: Tile): Html =>
  html`<div><dt>${label}!${under ? html` <span class="under">${under}</span>` : ''}</dt><dd><b>${value}</b> <span class="note">!${note}</span></dd></div>`
