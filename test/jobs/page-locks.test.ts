import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { sql } from 'kysely'
import { connect, inTransaction } from '../../src/platform/database/database.ts'
import { asAdministrator } from '../../src/platform/database/database-setup.ts'
import { buildAlone } from '../../src/publishing/jobs/locks.ts'
import { waitFor } from '../../tooling/services/state.ts'
import { openJobFixture } from '../support/jobs/job-fixture.ts'

test('a lost worker that waits for the lock of a page never gets it', async () => {
  await using fixture = await openJobFixture()
  const open = (applicationName: string) =>
    fixture.use(connect(fixture.database.urls.worker, { poolMax: 1, applicationName }))
  const [holder, lost] = [open('holder'), open('lost')]
  const stateOfLost = async () => {
    const { rows } = await asAdministrator(fixture.database.adminUrl, (admin) =>
      admin.query<{ state: string }>(
        "select coalesce(wait_event_type, state) as state from pg_stat_activity where application_name like '%lost%'",
      ),
    )
    return rows[0]?.state
  }
  const sockets: Socket[] = []
  lost.pool.on('connect', (client) =>
    sockets.push((client as unknown as { connection: { stream: Socket } }).connection.stream),
  )
  await inTransaction(holder.db, async (tx) => {
    await buildAlone(tx, 'message', 'post_1')
    const becomes = (state: string | undefined, what: string) =>
      waitFor(async () => {
        // The holder is alive.
        await sql`select 1`.execute(tx)
        return (await stateOfLost()) === state
      }, what)
    const waiting = assert.rejects(inTransaction(lost.db, (other) => buildAlone(other, 'message', 'post_1')))
    await becomes('Lock', 'the second worker to wait for the lock')
    for (const socket of sockets) socket.destroy()
    const lostAt = performance.now()
    await becomes(undefined, 'PostgreSQL to end the session')
    // Without the limits, it waits until the lock timeout of three seconds.
    assert.ok(performance.now() - lostAt < 2_500)
    await waiting
  })
})
