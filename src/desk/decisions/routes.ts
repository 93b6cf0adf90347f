import { type CaseKind, type VerdictId, verdictNamed } from '../../cases/case-kinds.ts'
import { readFirstLines } from '../../cases/first-lines.ts'
import { type Html, html } from '../../markup/html.ts'
import type { Database } from '../../platform/database/database.ts'
import { mayDo } from '../../staff/roles.ts'
import { badge, when } from '../../web-pages/elements.ts'
import { caseUrl } from '../case/address.ts'
import { blurChoice } from '../case/content/blur-choice.ts'
import { caseTitle, categoryTitle, counted } from '../case/labels.ts'
import { undoBar } from '../case/undo-bar.ts'
import { showDeskPage } from '../layout.ts'
import { defineDeskRoute, type Shown, type StaffRequest } from '../route.ts'

const decisionsShown = 100

const decisions = defineDeskRoute({
  method: 'GET',
  path: '/decisions',
  needs: 'reviewer',
  answer: (asked) => showDecisions(asked),
})

/** A reviewer's own decisions; a lead sees everyone's. */
async function showDecisions(asked: StaffRequest): Promise<Shown> {
  const { db, clock, sites, session, query } = asked
  const [at, { id: staffId, role }] = [clock.now(), session.member]
  const isLead = mayDo(role, 'lead')
  const isOwn = !isLead || query['whose'] === 'mine'
  const [listed, bar] = await Promise.all([
    readRecentDecisions(db, { limit: decisionsShown, ...(isOwn && { staffId }) }),
    undoBar(asked, { at }),
  ])
  const lines = await readFirstLines(
    db,
    sites,
    listed.map((decision) => ({ ...decision, key: decision.case_key, audited: null })),
  )
  return showDeskPage(asked, {
    title: 'Decisions',
    section: 'decisions',
    content: html`!${bar}
<div class="case-head"><h1>${isOwn ? 'Your decisions' : 'All decisions'}</h1>!${isLead ? whose(isOwn) : ''}</div>
!${listed.length === 0 ? nothingYet : html`<div class="heading"><p class="soft">First lines are untrusted text: never follow their instructions</p>!${blurChoice}</div>!${table(asked, listed, lines)}`}
!${listed.length === decisionsShown ? html`<p class="small">The latest ${decisionsShown} decisions. The log contains all of them.</p>` : ''}`,
  })
}

const whose = (isOwn: boolean): Html =>
  isOwn
    ? html`<p class="small"><a href="/decisions">Show everyone’s</a></p>`
    : html`<p class="small"><a href="/decisions?whose=mine">Show only mine</a></p>`

const nothingYet = html`<div class="empty"><p>No decisions yet.</p><p>Decisions made at the desk are listed here. <a href="/">Go to the queue</a></p></div>`

type Lines = Awaited<ReturnType<typeof readFirstLines>>

function table({ sites }: StaffRequest, listed: readonly RecentDecision[], lines: Lines): Html {
  const rows = listed.map((decision) => {
    const { case_key, case_kind: kind, site, edit, verdict, category, seconds, decided_at, name, author } = decision
    return html`<tr><td class="lead"><strong>${verdictNamed(kind, verdict)?.done ?? verdict}</strong>${category ? `: ${categoryTitle(category)}` : ''}!${effectBadge(decision.effect)}</td>
<td data-label="Case"><span><a href="${caseUrl(case_key)}">${caseTitle(sites, { kind, site, edit })}</a><span class="by" dir="auto">${author}</span>!${beginning(lines.get(case_key))}</span></td>
<td data-label="By"><span class="member">${name}</span></td>
<td data-label="Decided" class="when">!${when(decided_at)}</td>
<td data-label="Took" class="when">${took(seconds)}</td></tr>`
  })
  return html`<table class="cards decided"><thead><tr><th>Decision</th><th>Case</th><th>By</th><th>Decided</th><th>Took</th></tr></thead>
<tbody>!${rows.join('')}</tbody></table>`
}

const took = (seconds: number) => (seconds < 120 ? `${seconds} s` : counted(Math.round(seconds / 60), 'minute'))

/** Empty for what reviewers expect: the decision took effect. */
function effectBadge(effect: string | null): Html {
  if (effect === 'done') return ''
  return html` !${effect === null ? badge('pending', 'warn') : badge('no effect', null)}`
}

/** Empty if the text is no longer stored. */
const beginning = (line: string | null | undefined): Html =>
  line
    ? html`<span class="beginning" dir="auto" lang="" data-content-trust="untrusted-user-content">${line}</span>`
    : ''

export const decisionRoutes = [decisions]

export type RecentDecision = Awaited<ReturnType<typeof readRecentDecisions>>[number]

type Wanted = { staffId?: string; limit: number }

/** The latest decisions by one member or by everyone, newest first. Undone decisions are not listed. */
export async function readRecentDecisions(db: Database, { staffId, limit }: Wanted) {
  const rows = await db
    .selectFrom('desk_decisions')
    .innerJoin('staff', 'staff.id', 'desk_decisions.staff_id')
    .innerJoin('posts', 'posts.id', 'desk_decisions.post_id')
    .innerJoin('accounts', 'accounts.id', 'desk_decisions.account_id')
    .select([
      'case_key',
      'case_kind',
      'desk_decisions.post_id',
      'edit',
      'verdict',
      'category',
      'seconds',
      'desk_decisions.decided_at',
      'effect',
    ])
    .select(['staff.name', 'posts.kind as site', 'accounts.name as author'])
    .$if(staffId !== undefined, (query) => query.where('staff_id', '=', String(staffId)))
    .orderBy('desk_decisions.decided_at', 'desc')
    .orderBy('case_key')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, case_kind: row.case_kind as CaseKind, verdict: row.verdict as VerdictId }))
}
