import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'

export type LogEntry = {
  /** Position in the chain. */
  position: number
  at: Date
  actor: string
  /** The name of a staff member. */
  actor_name: string | null
  action: string
  account_id: string | null
  details: Record<string, unknown>
}

export type LogFilter = {
  actor: string
  account: string
  /** A case key, or a post id for all entries about the post and its cases. */
  about: string
}

/** `before`: a position in the chain. */
type Wanted = { filter: LogFilter; before: number | null; limit: number }

/** Log entries, newest first. */
export async function readLog(db: Database, { filter, before, limit }: Wanted): Promise<LogEntry[]> {
  const { actor, account, about } = filter
  const conditions = [
    ...(before === null ? [] : [sql`chain.position < ${before}`]),
    ...(actor === '' ? [] : [sql`entry.actor = ${actor}`]),
    ...(account === '' ? [] : [sql`entry.account_id = ${account}`]),
    ...(about === '' ? [] : [isAbout(about)]),
  ]
  const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
  const { rows } = await sql<LogEntry>`
    select chain.position, entry.at, entry.actor, staff.name as actor_name, entry.action, entry.account_id,
      entry.details
    from audit_log entry join audit_chain chain on chain.audit_id = entry.id
    left join staff on entry.actor = 'staff:' || staff.id
    ${where} order by chain.position desc limit ${limit}`.execute(db)
  return rows
}

/** A post can have several cases. The log identifies each case by its key. */
const isAbout = (text: string): RawBuilder<unknown> =>
  text.startsWith('post_')
    ? sql`entry.id in (
        select id from audit_log where details ->> 'post_id' = ${text}
        union all select id from audit_log where details ->> 'case' = any (array(${keysOf(text)}))
      )`
    : sql`entry.details ->> 'case' = ${text}`

const keysOf = (postId: string) => sql`
  select named || ':' || ${postId} || ':' || number from unnest(array['review', 'appeal']) named cross join (
    select 0 as number union all select number from post_edits where post_id = ${postId}
  ) edits
  union all
  select 'report:' || post_id || ':' || number from report_cases where post_id = ${postId}
  union all
  select 'check:' || id from moderation_decisions where post_id = ${postId} and automated and outcome = 'abuse'`
