import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { inTransaction } from '../../src/platform/database/database.ts'
import { erasePost } from '../../src/posts/deletion.ts'
import { lockPost } from '../../src/posts/status/change-status.ts'
import { type OpenStream, openEventStream, type ReceivedEvent } from '../../tooling/clients/event-stream.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { waitFor } from '../../tooling/services/state.ts'
import { times } from '../../tooling/test-length.ts'
import { kindNamed } from '../support/posts/create-post.ts'
import { publishAsModel } from '../support/posts/publish-as-model.ts'

let service: Service
let accounts: string[]

before(async () => {
  service = await startService({
    apiServers: 2,
    streamTiming: { lookMs: 5, ownLookMs: 5, careMs: 20, blockedMs: 10_000 },
  })
  accounts = await Promise.all(Array.from({ length: 4 }, async () => (await service.createAccount()).id))
})
after(() => service[Symbol.asyncDispose]())

type Step = { does: 'publish' | 'edit' | 'delete' | 'reconnect'; which: number }

const step: fc.Arbitrary<Step> = fc.record({
  does: fc.constantFrom('publish', 'publish', 'edit', 'delete', 'reconnect'),
  which: fc.nat({ max: 1_000 }),
})

/** A reader that breaks its connection now and then, and goes on at any process. */
function openRestlessReader() {
  const events: ReceivedEvent[] = []
  let stream: OpenStream | undefined
  let lastId: string | undefined
  const connect = async () => {
    stream = await openEventStream(service.baseUrl, { query: { kind: 'all' }, lastEventId: lastId })
    assert.equal(stream.response.status, 200)
    const { lastId: idOf } = stream
    await waitFor(async () => (lastId ?? idOf()) !== undefined, 'the first id')
  }
  const leave = async () => {
    await stream?.close()
    events.push(...(stream?.events ?? []))
    lastId = stream?.lastId() ?? lastId
    stream = undefined
  }
  return {
    connect,
    leave,
    reconnect: async () => {
      await leave()
      await connect()
    },
    cursor: () => stream?.lastId() ?? lastId,
    all: () => [...events, ...(stream?.events ?? [])],
  }
}

/** Steps of different accounts run at the same time; those of one account, one after another. */
async function run(steps: readonly Step[], readers: readonly ReturnType<typeof openRestlessReader>[]): Promise<void> {
  const lanes = Map.groupBy(steps, ({ which }) => which % accounts.length)
  const posts = new Map<number, string[]>()
  await Promise.all(
    [...lanes].map(async ([lane, own]) => {
      const mine = posts.get(lane) ?? []
      for (const { does, which } of own) {
        const id = mine[which % Math.max(mine.length, 1)]
        if (does === 'reconnect') await readers[which % readers.length]?.reconnect()
        else if (does === 'publish')
          mine.push(await publishAsModel(service, { kind: kindNamed('message'), accountId: String(accounts[lane]) }))
        else if (id && does === 'edit')
          await service.asOwner("update posts set edited_at = $2 where id = $1 and status = 'published'", [
            id,
            service.clock.now(),
          ])
        else if (id && does === 'delete') await deleteAsAuthor(id)
      }
    }),
  )
}

const deleteAsAuthor = (id: string) =>
  inTransaction(service.db, async (tx) => {
    const post = await lockPost(tx, id)
    if (post) await erasePost(tx, kindNamed('message'), post, service.clock.now())
  })

type Logged = { position: string; type: string; post_id: string; status: string }

test('whatever is published, edited and deleted at the same time, readers that come and go get exactly the log', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), async (steps) => {
      const [before] = await service.asOwner<{ last: string }>(
        'select coalesce(max(id), 0) as last from stream_entries',
      )
      // One lane reconnects a reader at a time, so each has its own.
      const readers = Array.from({ length: accounts.length }, openRestlessReader)
      await Promise.all(readers.map((reader) => reader.connect()))
      await run(steps, readers)
      const logged = () =>
        service.asOwner<Logged>(
          `select entry.position, entry.type, entry.post_id, posts.status from stream_entries entry
           join posts on posts.id = entry.post_id where entry.id > $1 order by entry.position`,
          [before?.last],
        )
      await waitFor(async () => (await logged()).every(({ position }) => position !== null), 'positions')
      const log = await logged()
      const last = Number(log.at(-1)?.position ?? 0)
      const isThere = (cursor: string | undefined) => Number.parseInt(String(cursor).split('-')[0] ?? '', 36) >= last
      await waitFor(async () => readers.every((reader) => isThere(reader.cursor())), 'all readers to be at the end')
      for (const reader of readers) compare(reader.all(), log)
      await Promise.all(readers.map((reader) => reader.leave()))
    }),
    { numRuns: times({ whole: 40, short: 6 }) },
  )
})

/** In the order of the log, nothing twice; only what was deleted before it was sent may be missing. */
function compare(events: readonly ReceivedEvent[], log: readonly Logged[]): void {
  const got = events.map(({ type, data }) => `${type} ${data.id}`)
  const told = new Set(events.map(({ id }) => Number.parseInt(id.split('-')[0] ?? '', 36)))
  assert.equal(told.size, events.length, 'an event came twice')
  const expected = log.filter(({ position, type, status }) => {
    const mayBeSkipped = type !== 'post.removed' && status === 'deleted'
    return told.has(Number(position)) || !mayBeSkipped
  })
  assert.deepEqual(
    got,
    expected.map(({ type, post_id }) => `${type} ${post_id}`),
  )
}
