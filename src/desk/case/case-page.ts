import { verdictsFor } from '../../cases/case-kinds.ts'
import { findCase, type QueuedCase } from '../../cases/queue.ts'
import { type CaseView, readCase } from '../../cases/read-case.ts'
import { type Html, html } from '../../markup/html.ts'
import type { Database } from '../../platform/database/database.ts'
import { type PolicyCategory, policy } from '../../policy/policy.ts'
import { staffActor } from '../../staff/audit-log.ts'
import { badge } from '../../web-pages/elements.ts'
import { showDeskPage } from '../layout.ts'
import type { Shown, StaffRequest } from '../route.ts'
import { chosenKind } from './address.ts'
import { untrustedContent } from './content/untrusted-content.ts'
import { contextOf } from './context.ts'
import { help } from './help.ts'
import { age, caseTitle, categoryTitle, dueText, harmBadge } from './labels.ts'
import { showDecided } from './notes.ts'
import { reasonOf, wordsAbout } from './reason.ts'
import { undoBar } from './undo-bar.ts'
import { verdictBar } from './verdicts.ts'

/** A case with everything needed to decide it, for the reviewer who holds it and for others who only view it. */
export async function showCase(asked: StaffRequest, key: string): Promise<Shown> {
  const { db, clock, sites, session, csrf } = asked
  const [at, staffId] = [clock.now(), session.member.id]
  const kind = chosenKind(asked)
  const [found, bar] = await Promise.all([findCase(db, { key, staffId, at }), undoBar(asked, { at, kind })])
  if (!found) return showDecided(asked, key, bar)
  const view = await readCase(db, sites, found, at)
  const names = await namesOf(db, view.history)
  const title = caseTitle(sites, found)
  const verdicts = verdictsFor(found, view.post.status === 'removed')
  return showDeskPage(asked, {
    title,
    section: 'queue',
    content: html`!${bar}
<div class="case-head"><h1>${title}</h1>!${head(found, at)}!${help(verdicts)}</div>!${'changed' in asked.query ? changed : ''}
<div class="case"><div class="main">!${reasonOf(view, names)}!${wordsAbout(view)}!${untrustedContent(view, sites)}!${policyWords(view)}</div>
!${contextOf({ view, sites, names, at })}</div>
!${verdictBar({ found, verdicts, suspected: view.suspected, author: view.author, csrf, kind, at })}`,
  })
}

const changed = html`<div class="notice warn"><h2>This case has changed</h2>
<p>Another report arrived, or the author edited the text. Your decision was not saved. Review the case again.</p></div>`

function head(found: QueuedCase, at: Date): Html {
  const { categories, opened_at, due_at, mine } = found
  const named = [...new Set(categories)].map((category) => badge(categoryTitle(category), null))
  const waits = due_at
    ? html`<span>Review due !${dueText(due_at, at)}</span>`
    : html`<span>Waiting for !${age(opened_at, at)}</span>`
  return html`<p class="marks">!${harmBadge(found)} !${named.join(' ')} !${waits}!${mine ? html` <span class="yours">Yours</span>` : ''}</p>`
}

/** Staff names by actor, as recorded in decisions. */
async function namesOf(db: Database, history: CaseView['history']): Promise<ReadonlyMap<string, string>> {
  const actors = history.map(({ actor }) => actor).filter((actor) => actor.startsWith(staffActor('')))
  if (actors.length === 0) return new Map()
  const members = await db
    .selectFrom('staff')
    .select(['id', 'name'])
    .where(
      'id',
      'in',
      actors.map((actor) => actor.slice(staffActor('').length)),
    )
    .execute()
  return new Map(members.map(({ id, name }) => [staffActor(id), name]))
}

/** The policy text of the suspected categories in full; the other categories are collapsed. */
export function policyWords({ suspected }: CaseView): Html {
  const first = suspected.map((id) => policy.categories.find((category) => category.id === id) as PolicyCategory)
  const others = policy.categories.filter(({ id }) => !suspected.includes(id))
  return html`<section class="policy" aria-labelledby="policy"><h2 id="policy">Policy text</h2>
!${first.map((category) => html`<h3>${category.title}</h3>!${words(category)}!${examplesOf(category)}`).join('')}
<div class="others">!${others.map((category) => html`<details><summary>${category.title}</summary>!${words(category)}</details>`).join('')}</div>
<p class="small">Version ${policy.version}</p></section>`
}

/** Splits the definition into what it covers, what it does not, and the line between. */
const words = ({ definition }: PolicyCategory): Html =>
  definition
    .split(/(?<=\.) (?=Does not cover|The line:)/)
    .map((part) => html`<p>${part}</p>`)
    .join('')

const examplesOf = ({ examples }: PolicyCategory): Html =>
  html`<details><summary>Examples</summary>
<p class="small">Rejected</p><ul>!${examples.violating.map((text) => html`<li>${text}</li>`).join('')}</ul>
<p class="small">Published</p><ul>!${examples.non_violating.map((text) => html`<li>${text}</li>`).join('')}</ul></details>`
