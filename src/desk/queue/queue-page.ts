import { type CaseKind, caseKinds } from '../../cases/case-kinds.ts'
import { readFirstLines } from '../../cases/first-lines.ts'
import { type CaseCount, countCases, listCases, type QueuedCase } from '../../cases/queue.ts'
import { type Html, html } from '../../markup/html.ts'
import type { Database } from '../../platform/database/database.ts'
import { chosenKind } from '../case/address.ts'
import { blurChoice } from '../case/content/blur-choice.ts'
import { help } from '../case/help.ts'
import { age, kindWords, upTo } from '../case/labels.ts'
import { undoBar } from '../case/undo-bar.ts'
import { nextForm } from '../case/verdicts.ts'
import { showDeskPage } from '../layout.ts'
import type { Shown, StaffRequest } from '../route.ts'
import { caseTable, type Listed, orderWords } from './rows.ts'

/** How many cases the list shows. Reviewers get cases in the order of the queue, so they do not need all of them. */
const rowsShown = 50
/** How many cases of each kind the page counts, so that it stays fast. Beyond that, reviewers do not need the number. */
const countedTo = 1_000

/** The waiting cases, their age, and the start button. */
export async function showQueue(asked: StaffRequest): Promise<Shown> {
  const { db, clock, sites, session, csrf } = asked
  const [at, staffId] = [clock.now(), session.member.id]
  const kind = chosenKind(asked)
  const [counts, cases, bar] = await Promise.all([
    countCases(db, { at, countTo: countedTo }),
    listCases(db, { staffId, at, limit: rowsShown, ...(kind && { kind }) }),
    undoBar(asked, { at, kind }),
  ])
  const [authors, lines] = await Promise.all([readAuthors(db, cases), readFirstLines(db, sites, cases)])
  const open = counts.reduce((sum, count) => sum + count.open, 0)
  return showDeskPage(asked, {
    title: 'Queue',
    section: 'queue',
    content: html`!${bar}
<div class="case-head"><h1>${open === 0 ? 'The queue is empty' : `${open === 1 ? '1 case' : `${withMore(open, counts)} cases`} waiting`}</h1>!${help()}</div>
!${open === 0 ? nothingWaits(csrf) : html`!${start(asked, cases, kind)}!${kindTiles(counts, { kind, at })}!${list(asked, cases, { kind, at, counts, authors, lines })}`}`,
  })
}

/** With a plus sign if not all of these kinds were counted to the end. */
const withMore = (count: number, counts: readonly CaseCount[]): string =>
  `${count.toLocaleString('en')}${counts.some(({ open }) => open >= countedTo) ? '+' : ''}`

const nothingWaits = (csrf: string): Html => html`<div class="empty"><p>Every case is decided.</p>
<p>No one is waiting for you: a good time for a break.</p>!${nextForm(csrf, { label: 'Check again' })}</div>`

/** The main action of the page. */
function start({ query, csrf }: StaffRequest, cases: readonly QueuedCase[], kind: CaseKind | undefined): Html {
  const isHolding = cases.some(({ mine }) => mine)
  if (query['left'] === 'none' && !isHolding)
    return html`<div class="notice"><h2>${kind ? `No ${kindWords[kind].title.toLowerCase()} are available to you right now` : 'No cases are available to you right now'}</h2>
<p>The remaining ${kind ? kindWords[kind].title.toLowerCase() : 'cases'} are held by others, were skipped by you in the last half hour, or are appeals against your own decisions.</p>
<div class="buttons">!${nextForm(csrf, { label: 'Check again', kind })}</div></div>`
  return html`<div class="start">!${nextForm(csrf, { label: isHolding ? 'Resume case' : 'Start', kind })}
<p class="soft">${orderWords}</p></div>`
}

type Choice = { kind: CaseKind | undefined; at: Date }

function kindTiles(counts: readonly CaseCount[], { kind, at }: Choice): Html {
  const items = caseKinds.map((name) => {
    const { open, oldest, overdue } = counts.find((count) => count.kind === name) ?? {
      open: 0,
      oldest: null,
      overdue: 0,
    }
    return html`<li><a href="/?kind=${name}"!${name === kind ? html` aria-current="true"` : ''}><span class="count">${upTo(open, countedTo)}</span> <span class="name">${kindWords[name][open === 1 ? 'one' : 'title']}</span>
<span class="since">!${oldest ? html`oldest !${age(oldest, at)}` : html`none`}!${overdue > 0 ? html` · <span class="late">${upTo(overdue, countedTo)} late</span>` : ''}</span></a></li>`
  })
  return html`<ul class="plain kinds">!${items.join('')}</ul>`
}

type List = Listed & { counts: readonly CaseCount[] }

function list(asked: StaffRequest, cases: readonly QueuedCase[], { counts, ...listed }: List): Html {
  const { kind } = listed
  const ofKind = counts.filter((count) => !kind || count.kind === kind)
  const all = ofKind.reduce((sum, { open }) => sum + open, 0)
  const title = kind ? kindWords[kind].title : 'Waiting cases'
  const showAll = kind ? html`<a href="/">Show all kinds</a>` : ''
  const heading = html`<div class="heading"><h2 id="waiting">${title}</h2>!${showAll}!${cases.length > 0 ? untrusted : ''}</div>`
  if (cases.length === 0)
    return html`<section aria-labelledby="waiting">!${heading}<p class="soft">No waiting cases.</p></section>`
  return html`<section aria-labelledby="waiting">!${heading}
!${kind ? html`<p class="small">Cases where ${kindWords[kind].says}.</p>` : ''}
!${caseTable(asked, cases, listed)}
!${all > cases.length ? html`<p class="small">${withMore(all - cases.length, ofKind)} more are not shown.</p>` : ''}</section>`
}

const untrusted = html`<p class="soft">First lines are untrusted text: never follow their instructions</p>!${blurChoice}`

/** Author names by account id. */
async function readAuthors(db: Database, cases: readonly QueuedCase[]): Promise<Listed['authors']> {
  if (cases.length === 0) return new Map()
  const ids = [...new Set(cases.map(({ account_id }) => account_id))]
  const rows = await db.selectFrom('accounts').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
