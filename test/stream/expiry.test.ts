import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CompiledQuery, type RootOperationNode } from 'kysely'
import { deleteExpiredStreamEntries, findPosition } from '../../src/stream/stream-log.ts'
import { type OpenStream, openEventStream } from '../../tooling/clients/event-stream.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { assertProblem, refusalOf } from '../../tooling/problem-document.ts'
import { waitFor } from '../../tooling/services/state.ts'
import { kindNamed } from '../support/posts/create-post.ts'
import { publishAsModel } from '../support/posts/publish-as-model.ts'

let service: Service
let accountId: string

before(async () => {
  service = await startService({ streamTiming: { lookMs: 20, ownLookMs: 20, careMs: 50, blockedMs: 1_000 } })
  accountId = (await service.createAccount()).id
})
after(() => service[Symbol.asyncDispose]())

const publish = () => publishAsModel(service, { kind: kindNamed('message'), accountId })
const told = ({ events }: OpenStream) => events.map(({ type, data }) => `${type} ${data.id}`)
const until = (isSo: () => boolean, what: string) => waitFor(async () => isSo(), what)

let hours = 0
const passHours = (more: number) => {
  hours += more
  service.clock.setOffset(hours * 3_600_000)
}
/** A worker does so every minute, and numbers the entries. */
const deleteExpired = () => deleteExpiredStreamEntries(service.workerDb, service.clock.now())

async function currentCursor(): Promise<string> {
  await using stream = await openEventStream(service.baseUrl)
  await until(() => stream.lastId() !== undefined, 'the first id')
  return String(stream.lastId())
}

async function assertResumes(cursor: string, post: string) {
  await using resumed = await openEventStream(service.baseUrl, { lastEventId: cursor })
  assert.equal(resumed.response.status, 200)
  await until(() => resumed.events.length > 0, 'the next event')
  assert.equal(told(resumed)[0], `post.published ${post}`)
}

async function assertExpired(cursor: string) {
  await using expired = await openEventStream(service.baseUrl, { lastEventId: cursor })
  assertProblem(await refusalOf(expired.response), 'cursor_expired')
}

const positions = async () => {
  const rows = await service.asOwner<{ position: string }>('select position from stream_entries order by position')
  return rows.map(({ position }) => Number(position))
}

test('a reader that started before the first post resumes as long as that post is in the log', async () => {
  const stream = await openEventStream(service.baseUrl)
  await until(() => stream.lastId() !== undefined, 'the first id')
  const cursor = String(stream.lastId())
  await until(() => stream.lastId() !== cursor, 'a heartbeat with a later id')
  await stream.close()
  passHours(30)
  const first = await publish()
  await deleteExpired()
  await assertResumes(cursor, first)
  passHours(30)
  await publish()
  await deleteExpired()
  await assertResumes(cursor, first)
  passHours(30)
  await publish()
  await deleteExpired()
  assert.deepEqual(await positions(), [2, 3])
  await assertExpired(cursor)
})

test('a cursor works for 24 hours; afterwards the caller is told that it has expired', async () => {
  await publish()
  const cursor = await currentCursor()
  const post = await publish()
  await deleteExpired()
  passHours(23)
  await deleteExpired()
  await assertResumes(cursor, post)
  passHours(2)
  await publish()
  await deleteExpired()
  await assertExpired(cursor)
  assert.equal((await positions()).length, 2, 'only what is younger than a day and the entry before it are kept')
})

test('after a quiet day, the cursor of the last event still works when posts are published again', async () => {
  await publish()
  const cursor = await currentCursor()
  passHours(97)
  await deleteExpired()
  await using open = await openEventStream(service.baseUrl, { lastEventId: cursor })
  const next = await publish()
  await deleteExpired()
  await until(() => open.events.length > 0, 'the next post')
  assert.deepEqual(told(open), [`post.published ${next}`])
  await assertResumes(cursor, next)
})

test('a cursor whose entry is missing is found by its time, without reading the log', async () => {
  const at = service.clock.now()
  const [last = 0] = (await positions()).slice(-1)
  await service.asOwner(
    `insert into stream_entries (kind, post_id, type, position, token, numbered_at)
     select 'message', $1, 'post.edited', $2 + number, 1,
       $3::timestamptz - case when number < 2500 then interval '2 hours' else interval '0' end
     from generate_series(1, 5000) number`,
    [await publish(), last + 100, at],
  )
  await service.asOwner('analyze stream_entries')
  const sent: RootOperationNode[] = []
  const db = service.db.withPlugin({
    transformQuery: ({ node }) => {
      sent.push(node)
      return node
    },
    transformResult: async ({ result }) => result,
  })
  await findPosition(db, { position: last + 9_000, token: 7, at: new Date(at.getTime() - 3_600_000) }, at)
  for (const node of sent) {
    const { sql, parameters } = service.db.getExecutor().compileQuery(node, { queryId: 'explained' })
    const explained = CompiledQuery.raw(`explain (analyze, costs off, timing off) ${sql}`, [...parameters])
    const { rows } = await service.db.executeQuery<{ 'QUERY PLAN': string }>(explained)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    const touched = [...plan.matchAll(/rows=(\d+)|Removed by Filter: (\d+)/g)].map(([, a, b]) => Number(a ?? b))
    assert.ok(Math.max(0, ...touched) < 10, plan)
  }
})
