import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database, Transaction } from '../../platform/database/database.ts'
import { hashToken, newToken } from './tokens.ts'

type Sessions = {
  table: 'owner_sessions' | 'staff_sessions'
  /** The column of the account or member that is signed in. */
  holder: 'account_id' | 'staff_id'
  /** A session ends after this time without a request, and after this time in any case. */
  idleSeconds: number
  wholeSeconds: number
}

/** How old `last_seen_at` may get before it is updated. */
const seenResolutionMs = 60_000

/** What the sessions of owners and of staff have in common. Each has its own table and periods. */
export function browserSessions({ table, holder, idleSeconds, wholeSeconds }: Sessions) {
  const rows = sql.table(table)
  const column = (name: string) => sql.ref(`${table}.${name}`)
  return {
    /** A new token, and the columns that every session has. The database stores only the token's hash. */
    create: (browser: string, at: Date) => {
      const token = newToken()
      const id = randomUUID()
      return { token, row: { id, token_hash: hashToken(token), browser, created_at: at, last_seen_at: at } }
    },
    /** Whether a session has not ended and is within both periods. */
    isValid: (at: Date) => sql<boolean>`(${column('ended_at')} is null
      and ${column('last_seen_at')} > ${before(at, idleSeconds * 1_000)}
      and ${column('created_at')} > ${before(at, wholeSeconds * 1_000)})`,
    hasToken: (token: string) => sql<boolean>`${column('token_hash')} = ${hashToken(token)}`,
    /** Keeps a session that is in use from becoming idle. */
    touch: async (db: Database, { id, last_seen_at }: { id: string; last_seen_at: Date }, at: Date): Promise<void> => {
      if (at.getTime() - last_seen_at.getTime() <= seenResolutionMs) return
      await sql`update ${rows} set last_seen_at = ${at} where id = ${id}`.execute(db)
    },
    /** Ends one session of the holder, or all of them, and returns how many. */
    end: async (
      tx: Transaction,
      { of, id, at }: { of: string; id?: string | undefined; at: Date },
    ): Promise<number> => {
      const { numAffectedRows } = await sql`
        update ${rows} set ended_at = ${at} where ${sql.ref(holder)} = ${of} and ended_at is null
        ${id === undefined ? sql`` : sql`and id = ${id}`}`.execute(tx)
      return Number(numAffectedRows ?? 0n)
    },
    /** Whether a session ended, or was last used, before that time. */
    endedBefore: (time: Date) => sql<boolean>`created_at < ${time} and coalesce(ended_at, last_seen_at) < ${time}`,
  }
}

const before = (at: Date, milliseconds: number) => new Date(at.getTime() - milliseconds)
