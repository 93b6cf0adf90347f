import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../platform/database/database.ts'
import type { JobName } from './jobs.ts'

/** The notification channel for all queues. pg-boss derives its name from the name of its schema. */
const channel = `pgboss_${createHash('sha224').update('pgboss').digest('hex').slice(0, 24)}`

const waiting = new WeakMap<Database, Set<JobName>>()

/**
 * Tells all workers that a job is waiting. This happens after the commit: a transaction that notifies holds a lock of
 * the whole server until its commit is complete, so all of them would wait in turn, even for a synchronous standby.
 * Names are collected while an earlier notification is on its way, so a process sends one at a time. A notification
 * that fails or is lost does no harm, because workers also poll.
 */
export function wakeWorkers(db: Database, name: JobName): void {
  const names = waiting.get(db)
  if (names) names.add(name)
  else void notifyAll(db, new Set([name]))
}

async function notifyAll(db: Database, names: Set<JobName>): Promise<void> {
  waiting.set(db, names)
  try {
    while (names.size > 0) {
      const batch = [...names]
      names.clear()
      await sql`select pg_notify(${channel}, name) from unnest(${batch}::text[]) as name`.execute(db)
    }
  } catch {
    // The pool is closed or the server is away.
  } finally {
    waiting.delete(db)
  }
}
