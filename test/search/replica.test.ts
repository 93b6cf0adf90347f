import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { connect } from '../../src/platform/database/database.ts'
import { createLogger } from '../../src/platform/observability/logger.ts'
import { openReplica } from '../../src/platform/replica.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { developmentDatabase, type RoleUrls } from '../../tooling/services/databases.ts'
import { startStreamingReplica } from '../../tooling/services/standby.ts'
import { waitFor } from '../../tooling/services/state.ts'
import { seedListedPost } from '../support/posts/create-post.ts'

const maxLagSeconds = 4

let cluster: Awaited<ReturnType<typeof startStreamingReplica>>
let urls: RoleUrls
let service: Service
let accountId: string
before(async () => {
  cluster = await startStreamingReplica()
  urls = await developmentDatabase(cluster.adminUrl)
  const adminUrl = new URL(cluster.adminUrl)
  adminUrl.pathname = new URL(urls.api).pathname
  service = await startService({
    database: { adminUrl: adminUrl.href, urls, [Symbol.asyncDispose]: async () => {} },
    settings: {
      API_REPLICA_DATABASE_URL: cluster.atReplica(urls.api),
      DESK_REPLICA_DATABASE_URL: cluster.atReplica(urls.desk),
      REPLICA_MAX_LAG_SECONDS: String(maxLagSeconds),
    },
  })
  accountId = (await service.createAccount()).id
})
after(async () => {
  await service[Symbol.asyncDispose]()
  await cluster[Symbol.asyncDispose]()
})

type Results = { data: { id: string }[]; as_of: string }

async function search(q: string): Promise<{ ids: string[]; asOf: Date; receivedAt: Date }> {
  const response = await fetch(`${service.baseUrl}/v1/search?q=${q}`)
  const body = (await response.json()) as Results
  assert.equal(response.status, 200, JSON.stringify(body))
  return { ids: body.data.map(({ id }) => id), asOf: new Date(body.as_of), receivedAt: service.clock.now() }
}

const put = (text: string) =>
  seedListedPost(service, { kind: 'message', body: { text }, publishedAt: service.clock.now(), accountId })

const withdraw = (id: string) =>
  service.asOwner("update posts set status = 'removed', listed = false where id = $1", [id])

/** While replay is paused, only the replica does not find a new post. */
async function waitUntilReplicaAnswers(): Promise<void> {
  await waitFor(async () => {
    await cluster.pauseReplay()
    try {
      const word = `probe${Math.random().toString(36).slice(2)}`
      await put(`A ${word} in the harbour`)
      return (await search(word)).ids.length === 0
    } finally {
      await cluster.resumeReplay()
    }
  }, 'the replica to answer searches')
}

test('a search says how current it is, and finds no post that was withdrawn before that', async () => {
  await waitUntilReplicaAnswers()
  const id = await put('The lighthouse is lit')
  await waitFor(async () => (await search('lighthouse')).ids.length === 1, 'the post to arrive at the replica')
  await cluster.pauseReplay()
  await withdraw(id)
  const withdrawnAt = service.clock.now()
  let found = 0
  let last = await search('lighthouse')
  for (; last.ids.length > 0; last = await search('lighthouse')) {
    found++
    assert.ok(last.asOf < withdrawnAt, 'the response claims to know of the withdrawal')
    const lag = last.receivedAt.getTime() - last.asOf.getTime()
    assert.ok(lag < (maxLagSeconds + 3) * 1_000, `the response is ${lag} ms behind`)
  }
  assert.ok(found > 0, 'the replica never answered')
  assert.ok(last.asOf > withdrawnAt)
  await cluster.resumeReplay()
  await waitUntilReplicaAnswers()
})

test('the search page says how old its results are when they are', async () => {
  await put('A foghorn sounds')
  await waitUntilReplicaAnswers()
  const page = async () => await (await fetch(`${service.baseUrl}/search?q=foghorn`)).text()
  assert.doesNotMatch(await page(), /seconds<\/time> old/)
  await cluster.pauseReplay()
  try {
    await waitFor(async () => /\d seconds<\/time> old/.test(await page()), 'the page to say how old it is')
  } finally {
    await cluster.resumeReplay()
  }
})

test('a replica that is killed loses no search, and is used again when it is back', async () => {
  await waitUntilReplicaAnswers()
  const id = await put('A tugboat turns')
  let isOver = false
  const searching = (async () => {
    while (!isOver) await search('tugboat')
  })()
  await cluster.killReplica()
  assert.deepEqual((await search('tugboat')).ids, [id])
  await cluster.startReplica()
  await waitUntilReplicaAnswers()
  isOver = true
  await searching
})

test('a query that the replica cancels for a change runs again at the primary', async () => {
  await using primary = connect(urls.api, { poolMax: 2, applicationName: 'test primary' })
  await using owner = connect(urls.migrator, { poolMax: 1, applicationName: 'test owner' })
  await using atReplica = connect(cluster.atReplica(cluster.adminUrl), {
    ...{ poolMax: 1, applicationName: 'test look', acceptsReadOnly: true },
  })
  await using reader = openReplica({
    ...{ url: cluster.atReplica(urls.api), primary: primary.db, fallback: primary.db, maxLagSeconds: 10, poolMax: 2 },
    ...{ applicationName: 'test reader', clock: service.clock, logger: createLogger('silent', 'test') },
  })
  const isReplica = async () =>
    (await reader.read((db) => sql<{ it: boolean }>`select pg_is_in_recovery() as it`.execute(db))).result.rows[0]?.it
  await waitFor(async () => (await isReplica()) === true, 'the replica to answer')
  const reading = reader.read(
    async (db) =>
      await sql<{ it: boolean }>`
        select pg_is_in_recovery() as it,
          (select count(*) from search_entries where words @@ 'zebra'),
          pg_sleep(case when pg_is_in_recovery() then 8 else 0 end)`.execute(db),
  )
  const sleeps = "select from pg_stat_activity where wait_event = 'PgSleep'"
  await waitFor(async () => (await atReplica.pool.query(sleeps)).rowCount === 1, 'the query to run')
  await owner.pool.query('begin; lock table search_entries in access exclusive mode; commit')
  assert.equal((await reading).result.rows[0]?.it, false)
})

test('a replica that was promoted by mistake is not read', async () => {
  await waitUntilReplicaAnswers()
  await cluster.promoteReplica()
  const id = await put('A schooner sails')
  await waitFor(async () => (await search('schooner')).ids[0] === id, 'the primary to answer')
  for (let count = 0; count < 20; count++) assert.deepEqual((await search('schooner')).ids, [id])
  assert.ok(service.logLines.some((line) => line.includes('"refusal":"promoted"')))
})
