import { sql } from 'kysely'
import type { PurgeClient } from '../../platform/cdn/purge-client.ts'
import type { Clock } from '../../platform/clock.ts'
import { withAdvisoryLock } from '../../platform/database/advisory-lock.ts'
import type { Database, Transaction } from '../../platform/database/database.ts'
import { observeAtScrape } from '../../platform/observability/instruments.ts'
import type { Logger } from '../../platform/observability/logger.ts'
import { startRepeating } from '../../platform/repeat.ts'

/** Requests purges of written files, or of a whole site, in the transaction of the write. Publishing has it if there is a CDN. */
export type RequestPurges = (tx: Transaction, site: string, paths: Iterable<string> | 'all') => Promise<void>

export const requestPurgesAt =
  (clock: Clock): RequestPurges =>
  async (tx, site, paths) => {
    const keys = paths === 'all' ? [site] : [...new Set(Array.from(paths, (path) => surrogateKeyOf(site, path)))]
    if (keys.length === 0) return
    const requested_at = clock.now()
    await tx
      .insertInto('cdn_purges')
      .values(keys.flatMap((key) => [false, true].map((again) => ({ key, requested_at, again }))))
      .execute()
  }

/**
 * The surrogate key of a file: the id of a post, and the folder of everything else. The gateway derives the same key from
 * the address (deploy/nginx/cdn-key.part.template), and adds that of the site.
 */
export function surrogateKeyOf(site: string, path: string): string {
  const [post] = /^p\/..\/(post_[0-9a-z]{26})/.exec(path)?.slice(1) ?? []
  return post ?? `${site}/${path.slice(0, path.lastIndexOf('/') + 1)}`
}

type Purging = { db: Database; clock: Clock; logger: Logger; cdn: PurgeClient; everyMs?: number }

const lockKey = sql`hashtextextended('cdn purges', 0)`

/**
 * The second purge follows when the gateway no longer serves the old page: it keeps what it read from an object store for up to
 * two seconds, and a request for it can be under way.
 */
const secondPurgeMs = 4_000

/** Sends the oldest requested purges in one request. One worker at a time. Returns whether more are due. */
export function sendPurges(
  { db, clock, cdn }: Pick<Purging, 'db' | 'clock' | 'cdn'>,
  signal?: AbortSignal,
): Promise<boolean> {
  const send = async (connection: Database) => {
    const rows = await connection
      .selectFrom('cdn_purges')
      .select(['id', 'key'])
      .where((row) =>
        row.or([row('again', '=', false), row('requested_at', '<=', new Date(clock.now().getTime() - secondPurgeMs))]),
      )
      .orderBy('id')
      .limit(cdn.mostKeys)
      .execute()
    if (rows.length === 0) return false
    await cdn.purge([...new Set(rows.map(({ key }) => key))], signal)
    const ids = rows.map(({ id }) => id)
    await connection.deleteFrom('cdn_purges').where('id', 'in', ids).execute()
    return rows.length === cdn.mostKeys
  }
  return withAdvisoryLock(db, lockKey, send, () => false)
}

const longestPauseMs = 60_000

/** Sends purges until it is disposed. After a failure it waits, twice as long each time, up to a minute. */
export function startPurging({ db, clock, logger, cdn, everyMs = 1_000 }: Purging): AsyncDisposable {
  let failures = 0
  let notBefore = 0
  const oldest = observeAtScrape(['cdn.purges.oldest.seconds'], async (observe) => {
    const row = await db
      .selectFrom('cdn_purges')
      .select('requested_at')
      .where('again', '=', false)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    observe('cdn.purges.oldest.seconds', row ? (clock.now().getTime() - row.requested_at.getTime()) / 1_000 : 0)
  })
  const sending = startRepeating({
    everyMs,
    work: async (signal) => {
      if (performance.now() < notBefore) return false
      const isMore = await sendPurges({ db, clock, cdn }, signal)
      failures = 0
      return isMore
    },
    onError: (error) => {
      notBefore = performance.now() + Math.min(longestPauseMs, everyMs * 2 ** ++failures)
      logger.warn({ err: error, failures }, 'the CDN did not accept purges; they are sent again')
    },
  })
  return {
    [Symbol.asyncDispose]: async () => {
      await sending[Symbol.asyncDispose]()
      oldest[Symbol.dispose]()
    },
  }
}
