import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { sql } from 'kysely'
import { connect as connectDatabase, inTransaction } from '../../../src/platform/database/database.ts'
import { type Service, startService } from '../../../tooling/environment/service.ts'
import { waitFor } from '../../../tooling/services/state.ts'
import { connect, exchange, grantCode, renew, seedVictim, statusWith } from '../../support/oauth/attack.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service?.[Symbol.asyncDispose]())

/** Starts `act` while nothing can be written to the table, then closes the account, then lets both go on. */
async function whileClosing<Result>(accountId: string, table: string, act: () => Promise<Result>) {
  // Only the administrator sees who waits.
  await using admin = connectDatabase(service.database.adminUrl, { poolMax: 2, applicationName: 'test holder' })
  const waiting = sql<{ count: number }>`
    select count(*)::int from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
  const untilWaiting = (count: number) =>
    waitFor(
      async () => Number((await waiting.execute(admin.db)).rows[0]?.count) >= count,
      `${count} waiting transactions`,
    )
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: held, resolve: hold } = Promise.withResolvers<void>()
  const holding = inTransaction(admin.db, async (tx) => {
    await sql`lock table ${sql.table(table)} in share mode`.execute(tx)
    hold()
    await released
  })
  try {
    await held
    const acting = act()
    await untilWaiting(1)
    const closing = service.asOwner('select close_account($1, $2)', [accountId, service.clock.now()])
    const closed = closing.then(() => 'closed', String)
    await untilWaiting(2)
    release()
    return { result: await acting, closed: await closed }
  } finally {
    release()
    await holding
  }
}

suite('closing an account while its app gets tokens', () => {
  test('an exchange and the closing wait for each other in one order', async () => {
    const { browser, accountId } = await seedVictim(service)
    const { form } = await grantCode(service, browser)
    const { result, closed } = await whileClosing(accountId, 'oauth_sessions', () => exchange(service, form))
    assert.deepEqual([closed, result.status], ['closed', 200], JSON.stringify(result.body))
    assert.equal(await statusWith(service, result.body.access_token), 401)
  })

  test('a replayed token and the closing wait for each other in one order', async () => {
    const { browser, accountId } = await seedVictim(service)
    const { clientId, refresh } = await connect(service, browser)
    await renew(service, clientId, refresh)
    const { result, closed } = await whileClosing(accountId, 'oauth_access_tokens', () =>
      renew(service, clientId, refresh),
    )
    assert.deepEqual([closed, result.body.error], ['closed', 'invalid_grant'])
  })
})
