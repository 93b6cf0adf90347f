import { sql } from 'kysely'
import { type Assessment, assessPost } from '../../accounts/trust/assess-trust.ts'
import { readTrust } from '../../accounts/trust/read-trust.ts'
import { trustThresholds } from '../../accounts/trust/trust-rules.ts'
import type { TextPart } from '../../contract/text/text.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { firstIdAt } from '../../platform/identifiers.ts'
import { lockPost } from '../../posts/status/change-status.ts'
import { findNew } from '../../posts/status/published-before.ts'

type Asked = {
  accountId: string
  postId: string
  /** 0 for the post itself. */
  edit: number
  kind: string
  texts: readonly TextPart[]
  /** When the post or the edit was submitted. */
  sentAt: Date
  at: Date
  /** Whether the decision depends on the standing. If so, locks prevent new strikes until the transaction ends. */
  hold: boolean
}

/** The standing used to judge a post or edit. Counts are capped at the largest number that the rules use. */
export async function readStanding(tx: Transaction, asked: Asked): Promise<Assessment> {
  // The global lock order: post, then account.
  if (asked.hold) await lockPost(tx, asked.postId)
  const trust = await readTrust(tx, asked)
  const nothing = { hasNewDomain: false, isNewKind: false, sentInAnHour: 0, publishedBefore: 0 }
  if (trust.level === 'new') return assessPost(trust, nothing)
  return assessPost(trust, { ...(await findNew(tx, asked)), ...(await countRate(tx, asked)) })
}

const minuteMs = 60_000
const dayMs = 86_400_000

async function countRate(tx: Transaction, { accountId, postId, edit, sentAt }: Asked) {
  const { minutes, usualDays, atMost } = trustThresholds.burst
  const hourAgo = new Date(sentAt.getTime() - minutes * minuteMs)
  const before = new Date(hourAgo.getTime() - usualDays * dayMs)
  // Ids sort by time; among posts of the same millisecond, each counts those before it.
  const last = edit === 0 ? postId : firstIdAt('post', new Date(sentAt.getTime() + 1))
  const { rows } = await sql<{ posts: number; edits: number; published: number }>`
    select
      (select count(*) from (
        select from posts where account_id = ${accountId} and id >= ${firstIdAt('post', hourAgo)} and id <= ${last}
        limit ${sql.lit(atMost + 1)}) sent) as posts,
      (select count(*) from (
        select from post_edits where account_id = ${accountId} and submitted_at > ${hourAgo} and submitted_at <= ${sentAt}
        limit ${sql.lit(atMost + 1)}) sent) as edits,
      (select count(*) from (
        select from posts where account_id = ${accountId} and published_at > ${before} and published_at <= ${hourAgo}
        limit ${sql.lit(atMost * usualDays)}) usual) as published`.execute(tx)
  const { posts = 0, edits = 0, published = 0 } = rows[0] ?? {}
  return { sentInAnHour: posts + edits, publishedBefore: published }
}
