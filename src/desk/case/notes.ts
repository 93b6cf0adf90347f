import { type CaseKind, kindOfCase, verdictNamed } from '../../cases/case-kinds.ts'
import { type Html, html } from '../../markup/html.ts'
import type { Database } from '../../platform/database/database.ts'
import { when } from '../../web-pages/elements.ts'
import { showDeskPage } from '../layout.ts'
import type { Shown, StaffRequest } from '../route.ts'
import { chosenKind } from './address.ts'
import { categoryTitle } from './labels.ts'
import { nextForm } from './verdicts.ts'

export type Refusal = 'taken' | 'barred' | 'gone' | 'decided_before' | 'unfit' | 'too_late' | 'unknown'

const refusals: Record<Refusal, { title: string; says: string; status: number }> = {
  taken: {
    title: 'You no longer hold this case',
    says: 'Someone else has taken it, or your claim expired. Nothing was changed.',
    status: 409,
  },
  barred: {
    title: 'Someone else must decide this appeal',
    says: 'You have already decided on this post, and we promise authors a different reviewer. Nothing was changed.',
    status: 409,
  },
  gone: {
    title: 'There is nothing left to decide',
    says: 'The post was deleted, its account was closed, or the case was resolved elsewhere. Nothing was changed.',
    status: 409,
  },
  decided_before: {
    title: 'Someone else decided this case first',
    says: 'This case is already decided. Nothing was changed.',
    status: 409,
  },
  unfit: {
    title: 'That decision is not valid for this case',
    says: 'The form contained an unknown decision, or a category was missing. Nothing was changed.',
    status: 422,
  },
  too_late: {
    title: 'Too late to undo',
    says: 'You can undo your own decision for ten seconds. The author of the post can still appeal, and someone else will review it.',
    status: 409,
  },
  unknown: { title: 'Case not found', says: 'There is no case at this address.', status: 404 },
}

/** Why the action failed. A case that never existed is reported as not found. */
export async function showCaseRefusal(asked: StaffRequest, key: string, refusal: Refusal): Promise<Shown> {
  const isGone = refusal === 'gone' || refusal === 'too_late'
  return showRefusal(asked, isGone && !(await hasBeen(asked.db, key)) ? 'unknown' : refusal)
}

/** The same, without checking whether the case existed. */
export function showRefusal(asked: StaffRequest, refusal: Refusal): Shown {
  const { title, says, status } = refusals[refusal]
  return showCaseNote(asked, { title, status, content: html`<p>${says}</p>` })
}

/** A case that is no longer open: the decision and who made it. */
export async function showDecided(asked: StaffRequest, key: string, bar: Html): Promise<Shown> {
  const decision = await asked.db
    .selectFrom('desk_decisions')
    .innerJoin('staff', 'staff.id', 'desk_decisions.staff_id')
    .select(['staff.name', 'verdict', 'category', 'decided_at', 'effect'])
    .where('case_key', '=', key)
    .executeTakeFirst()
  if (!decision) return showCaseRefusal(asked, key, 'gone')
  const { name, verdict, category, decided_at, effect } = decision
  const done = verdictNamed(kindOfCase(key) as CaseKind, verdict)?.done ?? verdict
  return showCaseNote(asked, {
    title: 'This case is already decided',
    status: 200,
    content: html`!${bar}<p><strong>${done}</strong>${category ? `: ${categoryTitle(category)}` : ''}, by ${name}, !${when(decided_at)}.</p>
!${effect === 'nothing_to_do' ? html`<p>The decision had no effect: the post was deleted, or the case was resolved elsewhere.</p>` : ''}`,
  })
}

type Note = { title: string; status: number; content: Html }

const showCaseNote = (asked: StaffRequest, { title, status, content }: Note): Shown =>
  showDeskPage(asked, {
    title,
    section: 'queue',
    status,
    content: html`<div class="narrow"><h1>${title}</h1>!${content}
<div class="buttons">!${nextForm(asked.csrf, { kind: chosenKind(asked) })}<a class="button quiet" href="/">Back to the queue</a></div></div>`,
  })

/** Whether a closed case ever existed. */
export async function hasBeen(db: Database, key: string): Promise<boolean> {
  const [, subject = '', number = ''] = /^[a-z]+:([a-z0-9_]+)(?::(\d{1,4}))?$/.exec(key) ?? []
  const kind = kindOfCase(key)
  if (!kind || (kind === 'check' || kind === 'audit') !== (number === '')) return false
  return (await traces[kind](db, subject, Number(number))) !== undefined
}

type Trace = (db: Database, subject: string, number: number) => Promise<unknown>

/** Finds the record that every case of this kind leaves. */
const traces: Record<CaseKind, Trace> = {
  review: (db, postId, edit) =>
    db
      .selectFrom('moderation_decisions')
      .select('id')
      .where('post_id', '=', postId)
      .where('edit', '=', edit)
      .where('outcome', '=', 'review')
      .executeTakeFirst(),
  report: (db, postId, number) =>
    db
      .selectFrom('report_cases')
      .select('number')
      .where('post_id', '=', postId)
      .where('number', '=', number)
      .executeTakeFirst(),
  appeal: (db, postId, edit) =>
    db.selectFrom('appeals').select('edit').where('post_id', '=', postId).where('edit', '=', edit).executeTakeFirst(),
  check: async (db, id) =>
    /^\d{1,15}$/.test(id)
      ? db
          .selectFrom('moderation_decisions')
          .select('id')
          .where('id', '=', Number(id))
          .where('automated', '=', true)
          .where('outcome', '=', 'abuse')
          .executeTakeFirst()
      : undefined,
  audit: async (db, id) =>
    /^\d{1,15}$/.test(id)
      ? db.selectFrom('audit_samples').select('post_id').where('decision_id', '=', Number(id)).executeTakeFirst()
      : undefined,
}
