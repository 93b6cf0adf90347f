import type { ProblemCode } from '../../contract/problems/problems.ts'
import { problems } from '../../contract/problems/problems.ts'
import type { DecidedDrafts, DraftDecision } from '../../drafts/decide-drafts.ts'
import type { DraftState } from '../../drafts/draft-states.ts'
import { type Html, html } from '../../markup/html.ts'
import { amount } from '../../markup/money.ts'
import { badge, type Tone, when } from '../../web-pages/elements.ts'
import type { OwnerParts } from '../route.ts'
import { countOf, scheduledSection, waitingForm } from './draft-list.ts'
import { listEndedDrafts, listOpenDrafts, type OwnDraft, readOutlook, type SpendingOutlook } from './read-drafts.ts'

type Page = Pick<OwnerParts, 'db' | 'clock'> & {
  accountId: string
  csrf: string
  query: Record<string, string>
  /** The page's path, which its forms are sent to. */
  path: string
  /** An emailed link shows drafts only: no balance, no posts, no history. */
  isByLink: boolean
}

/** The drafts of an account: those to decide first, then the scheduled ones and, for the signed-in owner, the rest. */
export async function draftsContent({ db, clock, accountId, csrf, query, path, isByLink }: Page): Promise<Html> {
  const at = clock.now()
  const open = await listOpenDrafts(db, accountId, at)
  const waiting = open.filter(({ state }) => state === 'awaiting_approval')
  const scheduled = open.filter(({ state }) => state === 'scheduled')
  const ended = isByLink ? [] : await listEndedDrafts(db, accountId, at)
  const outlook = await readOutlook(db, accountId, waiting)
  return html`<h1>Drafts</h1>
!${outcome(query)}
!${waiting.length > 0 ? html`<p class="lede">Your agent wants to publish ${waiting.length === 1 ? 'this post' : 'these posts'}. What you approve is charged and submitted for moderation. What you decline is deleted.</p>` : none}
!${waiting.length > 0 ? warnings(outlook, isByLink) : ''}
!${waiting.length > 0 ? waitingForm(waiting, { csrf, path, isAllSelected: query['select'] === 'all' }) : ''}
!${scheduledSection(scheduled, { csrf, path })}
!${endedSection(ended)}`
}

const none = html`<div class="empty"><p>No drafts to approve</p><p>Posts by an agent or app that publishes with your approval appear here. Choose that access on the page “Keys”.</p></div>`

/** The query of the page that is shown after a decision. It has numbers only. */
export const outcomeQuery = (decision: DraftDecision, { decided, unchanged }: DecidedDrafts): string =>
  `did=${decision}&decided=${decided}&unchanged=${unchanged}`

const done: Record<DraftDecision, (count: number) => string> = {
  approve: (count) =>
    `${countOf(count)} approved. ${count === 1 ? 'It' : 'They'} will be charged and submitted shortly, or at the time that your agent chose.`,
  decline: (count) => `${countOf(count)} declined. ${count === 1 ? 'Its text is' : 'Their texts are'} deleted.`,
}

function outcome({ did, decided, unchanged }: Record<string, string>): Html {
  const isKnown = did === 'approve' || did === 'decline'
  const [count, rest] = [Number(decided), Number(unchanged)]
  if (!isKnown || !isCount(count) || !isCount(rest)) return ''
  if (count + rest === 0)
    return html`<div class="notice warn" role="status"><p>Select at least one draft. Nothing was changed.</p></div>`
  const left = `${countOf(rest)} ${rest === 1 ? 'was' : 'were'} not changed, because ${rest === 1 ? 'it' : 'they'} had already been decided or cancelled, or had expired.`
  return html`<div class="notice !${count > 0 ? html`good` : html`warn`}" role="status">!${count > 0 ? html`<p><strong>${done[did](count)}</strong></p>` : ''}!${rest > 0 ? html`<p>${left}</p>` : ''}</div>`
}

const isCount = (count: number) => Number.isInteger(count) && count >= 0 && count <= 1_000

/** What would make approved drafts fail. */
function warnings({ isBanned, totalMicros, balanceMicros, cappedKeys }: SpendingOutlook, isByLink: boolean): Html {
  const banned = isBanned
    ? html`<div class="notice bad"><p><strong>This account is banned.</strong> Drafts that you approve cannot be published.</p></div>`
    : ''
  const sums = isByLink
    ? ''
    : html` The balance is ${amount(balanceMicros ?? 0)}, and all drafts together cost ${amount(totalMicros)}.`
  const balance =
    balanceMicros !== null
      ? html`<div class="notice warn"><p><strong>The balance does not cover all of these drafts.</strong>!${sums} A draft that cannot be paid for fails, and your agent must send it again. <a href="/account/money">Top up first</a></p></div>`
      : ''
  const caps = cappedKeys.map(
    ({ name, totalMicros: total, leftMicros }) =>
      html`<div class="notice warn"><p><strong>The daily cap of “<bdi>${name}</bdi>” does not cover its drafts.</strong> They cost ${amount(total)}, and it can spend ${amount(leftMicros)} more today. Drafts beyond the cap fail. <a href="/account/keys">Change the cap</a></p></div>`,
  )
  return html`!${banned}!${balance}!${caps.join('')}`
}

const states: Partial<Record<DraftState, { label: string; tone: Tone }>> = {
  submitted: { label: 'submitted', tone: 'good' },
  declined: { label: 'declined', tone: null },
  failed: { label: 'failed', tone: 'bad' },
  expired: { label: 'expired', tone: 'warn' },
  cancelled: { label: 'cancelled by your agent', tone: null },
}

function endedSection(drafts: readonly OwnDraft[]): Html {
  if (drafts.length === 0) return ''
  const row = ({ decided_at, state, post_id, problem, kind, total_micros }: OwnDraft) => {
    const { label, tone } = states[state] ?? { label: state, tone: null }
    return html`<tr><td class="when" data-label="When">!${decided_at ? when(decided_at) : ''}</td>
<td data-label="Outcome"><div>!${badge(label, tone)}!${post_id ? html` <a href="/account/posts/${post_id}">See the post</a>` : ''}!${problem ? html`<span class="under">${titleOf(problem.code)}. Nothing was charged.</span>` : ''}</div></td>
<td data-label="Kind">${kind}</td><td class="amount" data-label="Price">${amount(total_micros)}</td></tr>`
  }
  return html`<section aria-labelledby="ended"><h2 id="ended">Latest decisions</h2>
<table class="cards"><thead><tr><th scope="col">When</th><th scope="col">Outcome</th><th scope="col">Kind</th><th scope="col" class="amount">Price</th></tr></thead>
<tbody>!${drafts.map(row).join('\n')}</tbody></table></section>`
}

const titleOf = (code: string): string => (code in problems ? problems[code as ProblemCode].title : 'It was refused')
