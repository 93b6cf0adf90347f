import { type RawBuilder, sql } from 'kysely'
import { desk } from '../contract/limits.ts'
import { expiryCutoff } from '../contract/retention/periods.ts'
import type { Database, Transaction } from '../platform/database/database.ts'
import { deleteInBatches, type Purge } from '../platform/repeat.ts'
import { harmLevels, unknownLevel, urgentLevel } from '../policy/category.ts'
import { type Audited, type CaseKind, caseKinds } from './case-kinds.ts'

/** A waiting case as one staff member sees it. */
export type QueuedCase = {
  /**
   * `review:<post>:<edit>`, `report:<post>:<number>`, `appeal:<post>:<edit>`, `check:<decision>`, `audit:<decision>`.
   * Keys are never reused.
   */
  key: string
  kind: CaseKind
  post_id: string
  /** 0 for the post itself. */
  edit: number
  account_id: string
  /** The kind of post, which determines its site. */
  site: string
  opened_at: Date
  /** From when its age counts in the queue: an appeal against an automated penalty is as old as the penalty. */
  since: Date
  /** The deadline for a person to review it; null if there is none. */
  due_at: Date | null
  /** The suspected categories, from the model, the reports or the appealed decision. */
  categories: string[]
  harm: number
  reports: number
  /** For reports, the state that the reviewer must have seen: `<number of reports> <last edit>`. Otherwise empty. */
  version: string
  /** For audits, the model's decision; otherwise null. */
  audited: Audited | null
  claimed_by: string | null
  claimed_until: Date | null
  claimed_by_name: string | null
  /** The requesting member has claimed the case. */
  mine: boolean
  /** The requesting member has already decided on this post, so someone else must decide the appeal. */
  barred: boolean
}

/** Whether the case is about the text of an edit. The text of a published edit is stored with the post. */
export const isAboutEdit = ({ edit, audited }: Pick<QueuedCase, 'edit' | 'audited'>): boolean =>
  edit > 0 && audited !== 'published'

type Asking = { staffId: string; at: Date }

/** Cases due this soon come before cases that are not urgent. */
export const dueSoonSeconds = desk.checkSeconds / 4

const levels = [...new Set([...Object.values(harmLevels), unknownLevel])]

/**
 * Cases of one kind, deadline and level are in the order of the queue by `since` and key alone. So the first of each
 * group contain the first of all, and an index finds them, however many cases wait.
 */
const groups = caseKinds.flatMap((kind) =>
  [false, true].flatMap((has_deadline) => levels.map((harm) => ({ kind, has_deadline, harm }))),
)

/** Waiting cases in queue order. `free` leaves out those that this person cannot claim now. */
export async function listCases(
  db: Database | Transaction,
  { staffId, at, limit, kind, free = false }: Asking & { limit: number; kind?: CaseKind; free?: boolean },
): Promise<QueuedCase[]> {
  const listed = groups
    .filter((group) => !kind || group.kind === kind)
    .map((group) => ({ ...group, from: keptSince(group.kind, at) }))
  const first = sql`(
    select found.* from jsonb_to_recordset(${JSON.stringify(listed)}::jsonb)
      as listed (kind text, has_deadline boolean, harm smallint, "from" timestamptz)
    cross join lateral (
      select * from open_cases cases
      where cases.kind = listed.kind and cases.has_deadline = listed.has_deadline and cases.harm = listed.harm
        and cases.since > listed.from ${free ? onlyFree({ staffId, at }) : sql``}
      order by cases.since, cases.case_key limit ${limit}
    ) found
    order by ${order('found', at)} limit ${limit}
  )`
  const { rows } = await selectCases({ staffId, at }, first, sql`order by ${order('cases', at)}`).execute(db)
  return rows
}

/** One waiting case; null if it was decided, is gone or never existed. */
export async function findCase(
  db: Database | Transaction,
  { key, staffId, at }: Asking & { key: string },
): Promise<QueuedCase | null> {
  const [kind, id = ''] = key.split(':')
  const isOfDecision = kind === 'check' || kind === 'audit'
  if (isOfDecision && !/^[1-9][0-9]{0,17}$/.test(id)) return null
  const post = isOfDecision ? sql`(select post_id from moderation_decisions where id = ${id}::bigint)` : sql`${id}`
  // By definition, because whoever decides must see the case as it is in this transaction.
  const own = sql`where cases.post_id = ${post} and cases.case_key = ${key}`
  const found = (await selectCases({ staffId, at }, sql`case_definition`, own).execute(db)).rows[0]
  return found && found.opened_at > keptSince(found.kind, at) ? found : null
}

/** Corrects the stored cases of a post. Triggers keep them right; this only makes sure that no case stays listed that is gone. */
export async function refreshCases(db: Database | Transaction, postId: string): Promise<void> {
  await sql`select refresh_cases(${postId})`.execute(db)
}

export type CaseCount = { kind: CaseKind; open: number; oldest: Date | null; overdue: number }

/**
 * For each kind, the number of waiting cases, when the oldest was opened, and the number of overdue cases. It counts
 * only up to `countTo` of each.
 */
export async function countCases(
  db: Database,
  { at, countTo }: { at: Date; countTo: number },
): Promise<readonly CaseCount[]> {
  const counted = caseKinds.map((kind) => ({ kind, from: keptSince(kind, at) }))
  const overdueAt = new Date(at.getTime() - desk.checkSeconds * 1_000)
  const { rows } = await sql<CaseCount>`
    select counted.kind, waiting.count::int as open, late.count::int as overdue,
      (
        select opened_at from open_cases where kind = counted.kind and opened_at > counted.from order by opened_at limit 1
      ) as oldest
    from jsonb_to_recordset(${JSON.stringify(counted)}::jsonb) as counted (kind text, "from" timestamptz)
    cross join lateral (
      select count(*) from (
        select from open_cases where kind = counted.kind and opened_at > counted.from limit ${countTo}
      ) bounded
    ) waiting
    cross join lateral (
      select count(*) from (
        select from open_cases
        where kind = counted.kind and has_deadline and since > counted.from and since <= ${overdueAt} limit ${countTo}
      ) bounded
    ) late`.execute(db)
  return rows
}

/** Checks and audits that nobody has reviewed leave the queue after a while. The statistics still count them. */
const keptSince = (kind: CaseKind, at: Date): Date =>
  kind === 'check' || kind === 'audit' ? expiryCutoff('unreviewed-cases', at) : new Date(0)

/** Deletes checks and audits that have left the queue. */
export const deleteUnreviewedCases: Purge = (db, at) => {
  const cutoff = expiryCutoff('unreviewed-cases', at)
  return deleteInBatches(db, 'open_cases', sql`kind in ('check', 'audit') and opened_at <= ${cutoff}`)
}

/** Claims and skips are few, so they are read once and not for each case. */
const onlyFree = ({ staffId, at }: Asking) => sql`
  and cases.case_key <> all (array(select case_key from desk_claims where staff_id <> ${staffId} and expires_at > ${at}))
  and cases.case_key <> all (array(select case_key from desk_skips where staff_id = ${staffId} and until > ${at}))
  and not (${isBarred(staffId)})`

const isBarred = (staffId: string) => sql`
  cases.kind = 'appeal' and exists (
    select from desk_decisions decided where decided.post_id = cases.post_id and decided.staff_id = ${staffId}
  )`

/**
 * The most harmful cases first, then those due soon, then the rest; each group by harm and age. Audits come last,
 * because no author or reader is affected by the delay.
 */
function order(table: string, at: Date) {
  const column = (name: string) => sql.ref(`${table}.${name}`)
  const dueSoon = new Date(at.getTime() + (dueSoonSeconds - desk.checkSeconds) * 1_000)
  return sql`
    ${column('kind')} = 'audit',
    ${column('harm')} = ${urgentLevel} desc,
    (${column('has_deadline')} and ${column('since')} <= ${dueSoon}) desc,
    ${column('harm')} desc, ${column('since')}, ${column('case_key')}`
}

/** The parts of the queue, in the order of `order`. */
export type QueuePart = 'urgent' | 'due_soon' | 'by_harm' | 'audit'

/** The part of the queue that a case is in: the reason for its place. */
export function partOf({ kind, harm, due_at }: QueuedCase, at: Date): QueuePart {
  if (kind === 'audit') return 'audit'
  if (harm === urgentLevel) return 'urgent'
  const isDueSoon = due_at !== null && due_at.getTime() <= at.getTime() + dueSoonSeconds * 1_000
  return isDueSoon ? 'due_soon' : 'by_harm'
}

/** `source` is a table, a view or a query, and `rest` refers to it as `cases`. */
function selectCases({ staffId, at }: Asking, source: RawBuilder<unknown>, rest: RawBuilder<unknown>) {
  return sql<QueuedCase>`
    select cases.case_key as key, cases.kind, cases.post_id, cases.edit, cases.account_id, cases.site, cases.opened_at, cases.since,
      case when cases.has_deadline then cases.since + ${desk.checkSeconds} * interval '1 second' end as due_at,
      cases.categories, cases.harm, cases.reports, cases.version, cases.audited,
      claims.staff_id as claimed_by, claims.expires_at as claimed_until, holders.name as claimed_by_name,
      coalesce(claims.staff_id = ${staffId}, false) as mine, (${isBarred(staffId)}) as barred
    from ${source} cases
    left join desk_claims claims on claims.case_key = cases.case_key and claims.expires_at > ${at}
    left join staff holders on holders.id = claims.staff_id
    ${rest}`
}
