import { sql } from 'kysely'
import { startRepeating } from '../platform/repeat.ts'
import { appendEntries, auditEveryMs } from './append-entries.ts'
import { enqueueNextProofs } from './enqueue-proofs.ts'
import { stopLog, type TransparencyLog } from './log.ts'
import { DifferentFile, publishFiles } from './publish-files.ts'
import { reconcileFiles } from './reconcile-files.ts'

/** How often the published checkpoint is compared, if nothing is appended. */
const compareEveryMs = 10_000

/** Appends and publishes what waits until it is disposed. Any number of workers may do so; one at a time writes. */
export function startLog(log: TransparencyLog, everyMs: number): AsyncDisposable {
  let comparedAt = Number.NEGATIVE_INFINITY
  const work = async () => {
    const isDue = performance.now() - comparedAt >= compareEveryMs
    if (!isDue && !(await hasWork(log))) return false
    comparedAt = performance.now()
    return advanceLog(log)
  }
  const onError = (error: unknown) => {
    comparedAt = Number.NEGATIVE_INFINITY
    log.logger.error({ error }, 'could not write the transparency log')
  }
  return startRepeating({ everyMs, work, onError })
}

/** The head of the audit log is noted once a minute, so it is no work before. */
export async function hasWork({ db, clock }: Pick<TransparencyLog, 'db' | 'clock'>): Promise<boolean> {
  const audited = new Date(clock.now().getTime() - auditEveryMs)
  const { rows } = await sql<{ waits: boolean }>`
    select stopped_reason is null and (published_size < size or proofs_through < published_size
      or exists (select from log_queue where entry_index is null)
      or (coalesce(audit_noted_at <= ${audited}, true)
        and audit_position < (select coalesce(max(position), 0) from audit_head))) as waits
    from log_head`.execute(db)
  return rows[0]?.waits ?? false
}

/** One round: compare with the files, append, publish and enqueue proofs. Returns whether more is waiting. */
export async function advanceLog(log: TransparencyLog): Promise<boolean> {
  try {
    const published = await reconcileFiles(log)
    if (!published) return false
    const isMore = await appendEntries(log, published)
    await publishFiles(log)
    return (await enqueueNextProofs(log)) || isMore
  } catch (error) {
    if (error instanceof DifferentFile) await stopLog(log, 'files_differ')
    throw error
  }
}
