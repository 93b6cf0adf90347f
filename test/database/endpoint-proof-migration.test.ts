import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { asAdministrator } from '../../src/platform/database/database-setup.ts'
import { readMigrations } from '../../src/platform/database/migration-files.ts'
import { migrate } from '../../src/platform/database/migrations.ts'
import { newId } from '../../src/platform/identifiers.ts'
import { migratedDatabase, type OwnDatabase } from '../../tooling/services/databases.ts'

let database: OwnDatabase
before(async () => {
  database = await migratedDatabase('proof')
  await asAdministrator(database.adminUrl, async (admin) => {
    await admin.query('drop schema if exists public, pgboss cascade')
    await admin.query('create schema public authorization pg_database_owner')
    await admin.query('grant usage on schema public to public')
  })
})
after(() => database[Symbol.asyncDispose]())

const at = new Date('2026-11-15T12:00:00Z')
const earlier = new Date('2026-11-14T12:00:00Z')

test('an endpoint with a successful delivery counts as proven since then, and any other does not', async () => {
  const migrations = await readMigrations()
  const first = migrations.findIndex(({ name }) => name === 'endpoint_proof')
  await migrate(database.urls.migrator, migrations.slice(0, first), at)
  const [proven, failing, silent] = [1, 2, 3].map(() => newId('wh', at))
  const rows = await asAdministrator(database.adminUrl, async (admin) => {
    const account = newId('acct', at)
    for (const [index, id] of [proven, failing, silent].entries())
      await admin.query(
        `insert into webhooks (id, account_id, slot, url, events, created_at)
         values ($1, $2, $3, 'https://agent.example/', '{post.published}', $4)`,
        [id, account, index + 1, earlier],
      )
    const deliver = (id: string | undefined, status: string, when: Date) =>
      admin.query(
        `insert into deliveries (webhook_id, event_id, type, status, queue, created_at)
         values ($1, $2, 'post.published', $3, 'again', $4)`,
        [id, newId('evt', when), status, when],
      )
    for (const when of [at, earlier]) await deliver(proven, 'delivered', when)
    await deliver(failing, 'failed', at)
    await migrate(database.urls.migrator, migrations, at)
    return (await admin.query<{ id: string; proven_at: Date | null }>('select id, proven_at from webhooks')).rows
  })
  const provenAt = new Map(rows.map(({ id, proven_at }) => [id, proven_at]))
  assert.deepEqual(
    [proven, failing, silent].map((id) => provenAt.get(String(id))),
    [earlier, null, null],
  )
})
