import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { asAdministrator } from '../../src/platform/database/database-setup.ts'
import { readMigrations } from '../../src/platform/database/migration-files.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import {
  emptyDatabase,
  migratedDatabase,
  migrateOrExplain,
  type OwnDatabase,
} from '../../tooling/services/databases.ts'
import { waitFor } from '../../tooling/services/state.ts'
import { verifyTestLedger } from '../support/money/verify-ledger.ts'

/**
 * A dump of a database that an earlier version wrote, with an account that has data in every table (`makeFullAccount`)
 * and one post of each kind that waits for moderation. This version must migrate it and continue the work.
 */
const snapshotName = '2026-11-16'

type Author = { id: string; api_key: string }
type Snapshot = {
  taken_at: string
  secrets_keys: string
  author: Author
  stranger: Author
  /** The post of each kind. */
  published: Record<string, string>
  waiting: Record<string, string>
}

const run = promisify(execFile)
const fileOf = (extension: string) => join(import.meta.dirname, 'snapshots', `${snapshotName}.${extension}`)
const snapshot: Snapshot = JSON.parse(await readFile(fileOf('json'), 'utf8'))
const countTables = ['accounts', 'posts', 'moderation_decisions', 'ledger_transfers', 'events', 'audit_log', 'payments']

let database: OwnDatabase
let service: Service
let countsBefore: Record<string, number>
before(async () => {
  database = await emptyDatabase('upgrade')
  await restore(database.adminUrl)
  countsBefore = await countRows()
  await migrateOrExplain(database.urls.migrator, await readMigrations())
})
after(async () => {
  await service?.[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

async function restore(adminUrl: string): Promise<void> {
  const psql = run('psql', [adminUrl, '--quiet', '--no-psqlrc', '--set=ON_ERROR_STOP=1', '--output=/dev/null'])
  psql.child.stdin?.end(gunzipSync(await readFile(fileOf('sql.gz'))))
  await psql
  // The job queue reads the database's clock and would drop jobs that are a year old.
  await asAdministrator(adminUrl, (admin) => admin.query("update pgboss.job set keep_until = now() + interval '1 day'"))
}

const countRows = () =>
  asAdministrator(database.adminUrl, async (admin) => {
    const counts: Record<string, number> = {}
    for (const table of countTables) {
      const { rows } = await admin.query<{ count: string }>(`select count(*) from ${table}`)
      counts[table] = Number(rows[0]?.count)
    }
    return counts
  })

test('the migrated schema equals a new one', async () => {
  await using fresh = await migratedDatabase('fresh')
  const [migrated, created] = await Promise.all([dumpSchema(database.adminUrl), dumpSchema(fresh.adminUrl)])
  assert.ok(created.length > 1_000)
  assert.deepEqual(
    migrated.filter((line) => !created.includes(line)),
    [],
  )
  assert.deepEqual(
    created.filter((line) => !migrated.includes(line)),
    [],
  )
})

/** Without parentheses: PostgreSQL prints fewer of them for a constraint that was restored from a dump. */
async function dumpSchema(adminUrl: string): Promise<string[]> {
  const { stdout } = await run('pg_dump', ['--schema-only', adminUrl], { maxBuffer: 64 << 20 })
  return stdout
    .split('\n')
    .filter((line) => line && !/^(?:--|\\(?:un)?restrict )/.test(line))
    .map((line) => line.replaceAll(/[()]/g, ''))
}

test('the migration loses no row, and the ledger sums', async () => {
  assert.deepEqual(await countRows(), countsBefore)
  assert.ok(Object.values(countsBefore).every((count) => count > 0))
  assert.deepEqual((await verifyTestLedger(database)).differences, [])
})

test('each key’s total of its last day is the sum of its transfers', async () => {
  const rows = await asAdministrator(database.adminUrl, async (admin) => {
    const { rows } = await admin.query<{ kept: string | null; booked: string }>(`
      select kept.spent_micros as kept, booked.micros as booked
      from (
        select key_id, (entered_at at time zone 'UTC')::date as day, sum(amount_micros) as micros,
          rank() over (partition by key_id order by (entered_at at time zone 'UTC')::date desc) as place
        from ledger_transfers join api_keys on api_keys.id = key_id group by 1, 2
      ) booked
      left join key_spending kept using (key_id, day) where place = 1`)
    return rows
  })
  assert.ok(rows.length > 0)
  for (const { kept, booked } of rows) assert.equal(kept, booked)
})

test('posts that were waiting are published, and published posts stay readable', async () => {
  service = await startService({ database, judges: true, secretsKeys: snapshot.secrets_keys })
  // Retention periods run from the day of the snapshot.
  service.clock.setOffset(Date.parse(snapshot.taken_at) - Date.now())
  for (const [kind, id] of Object.entries(snapshot.waiting))
    await waitFor(async () => {
      const { body } = await service.client(snapshot.stranger.api_key, kind).getPost(id)
      return 'status' in body && body.status === 'published' && (await readPage(kind, id)).ok
    }, `the waiting ${kind} to be published`)
  for (const [kind, id] of Object.entries(snapshot.published)) {
    const { body } = await service.client(snapshot.author.api_key, kind).getPost(id)
    assert.equal('status' in body && body.status, 'published', kind)
  }
})

const readPage = (kind: string, id: string) => fetch(`${service.baseUrls[kind]}/p/${id}`)
