import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { after, before, test } from 'node:test'
import { streamLimits } from '../../src/contract/stream-limits.ts'
import { createLogger } from '../../src/platform/observability/logger.ts'
import { openStreamHub, type StreamHub } from '../../src/stream/stream-hub.ts'
import { numberEntries } from '../../src/stream/stream-log.ts'
import { parseEventStream, type ReceivedEvent } from '../../tooling/clients/event-stream.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { waitFor } from '../../tooling/services/state.ts'
import { kindNamed } from '../support/posts/create-post.ts'
import { publishAsModel } from '../support/posts/publish-as-model.ts'

let service: Service
let accountId: string

before(async () => {
  service = await startService()
  accountId = (await service.createAccount()).id
})
after(() => service[Symbol.asyncDispose]())

const filter = { kind: undefined, author: undefined, facets: {} }
const body = 'A sentence of a long story about a ferry and the sea. '.repeat(200)

function openHub(blockedMs: number): StreamHub {
  const { db, clock } = service
  const logger = createLogger('error', 'test')
  const sites = new Map(service.sites.map((site) => [site.kind.name, site]))
  return openStreamHub({ db, clock, logger, sites, timing: { lookMs: 10, ownLookMs: 10, careMs: 20, blockedMs } })
}

/** A connection that takes one write at a time, and the next only when it is told to. */
function openConnection() {
  const events: ReceivedEvent[] = []
  let text = ''
  const parser = parseEventStream()
  let proceed: (() => void) | undefined
  let isOpen = false
  const sink = new Writable({
    highWaterMark: 16 * 1024,
    write: (part: Buffer, _encoding, done) => {
      text += part.toString()
      events.push(...parser.push(part.toString()))
      if (isOpen) done()
      else proceed = done
    },
  })
  const release = () => {
    isOpen = true
    proceed?.()
  }
  return { sink, events, release, text: () => text }
}

async function publishStories(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let number = 0; number < count; number++)
    ids.push(await publishAsModel(service, { kind: kindNamed('story'), accountId, changes: { body } }))
  return ids
}

const headOf = async () => {
  await numberEntries(service.db, service.clock.now())
  const [head] = await service.asOwner<{ position: string }>(
    'select coalesce(max(position), 0) as position from stream_entries',
  )
  return Number(head?.position)
}

test('a slow reader holds little memory, and gets everything once when it reads on', async () => {
  const hub = openHub(600_000)
  const [slow, quick] = [openConnection(), openConnection()]
  quick.release()
  const position = await headOf()
  for (const { sink } of [slow, quick]) hub.open({ scope: 'public', filter, position, cursor: null }, sink)
  const ids = await publishStories(40)
  await waitFor(async () => quick.events.length === ids.length, 'the quick reader to get all stories')
  // One write of the tail or of the ring, which the readers share, and nothing for what came afterwards.
  const mostBytes = 64 * 1024 + 2 * Buffer.byteLength(body)
  assert.ok(slow.sink.writableLength <= mostBytes, `${slow.sink.writableLength} bytes wait for the slow reader`)
  assert.ok(slow.events.length < ids.length)
  slow.release()
  await waitFor(async () => slow.events.length >= ids.length, 'the slow reader to get all stories')
  for (const { events } of [slow, quick])
    assert.deepEqual(
      events.map(({ data }) => data.id),
      ids,
    )
  assert.ok(hub.ringBytes() <= streamLimits.ringBytes)
  await hub.close()
})

test('a reader that takes nothing for too long is disconnected', async () => {
  const hub = openHub(100)
  const { sink } = openConnection()
  hub.open({ scope: 'public', filter, position: await headOf(), cursor: null }, sink)
  await publishStories(5)
  await waitFor(async () => sink.destroyed, 'the reader to be disconnected')
  assert.equal(hub.size(), 0)
  await hub.close()
})

test('a reader whose cursor is older than what the process has in memory reads the database', async () => {
  const first = await headOf()
  const ids = await publishStories(3)
  // More than a process starts with and than a page has.
  await service.asOwner(
    `insert into stream_entries (kind, post_id, type) select 'story', $1, 'post.edited' from generate_series(1, 700)`,
    [ids[2]],
  )
  const hub = openHub(600_000)
  const late = openConnection()
  late.release()
  hub.open({ scope: 'public', filter, position: first, cursor: null }, late.sink)
  await waitFor(async () => late.events.length >= 703, 'all entries')
  assert.deepEqual(
    late.events.slice(0, 4).map(({ type, data }) => `${type} ${data.id}`),
    [...ids.map((id) => `post.published ${id}`), `post.edited ${ids[2]}`],
  )
  assert.equal(new Set(late.events.map(({ id }) => id)).size, 703)
  await hub.close()
})

test('a reader that reads the database and wants nothing of it gets the ids of the pages', async () => {
  const position = await headOf()
  const [id] = await publishStories(1)
  await service.asOwner(
    `insert into stream_entries (kind, post_id, type) select 'story', $1, 'post.edited' from generate_series(1, 700)`,
    [id],
  )
  const hub = openHub(600_000)
  const { sink, events, release, text } = openConnection()
  release()
  const author = 'acct_01jcmzq8e5f7r9t2v4x6y8z0ab'
  hub.open({ scope: 'public', filter: { ...filter, author }, position, cursor: null }, sink)
  await waitFor(async () => /\n\nid: \S+\n\n/.test(text()), 'the id of a page')
  assert.deepEqual(events, [])
  await hub.close()
})

test('a stream that opens while its process stops ends at once', async () => {
  const hub = openHub(600_000)
  await hub.close()
  const { sink, release } = openConnection()
  release()
  hub.open({ scope: 'public', filter, position: await headOf(), cursor: null }, sink)
  assert.ok(sink.writableEnded)
  assert.equal(hub.size(), 0)
})

test('when a process stops, it ends its streams at once', async () => {
  const hub = openHub(600_000)
  const { sink, release } = openConnection()
  release()
  hub.open({ scope: 'public', filter, position: await headOf(), cursor: null }, sink)
  await hub.close()
  assert.ok(sink.writableEnded)
})
