import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import type { Database } from '../../src/platform/database/database.ts'
import { numberEntries } from '../../src/stream/stream-log.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { kindNamed } from '../support/posts/create-post.ts'
import { publishAsModel } from '../support/posts/publish-as-model.ts'

let service: Service
let accountId: string

before(async () => {
  service = await startService()
  accountId = (await service.createAccount()).id
})
after(() => service[Symbol.asyncDispose]())

const refuses = (db: Database, statement: string) =>
  assert.rejects(sql.raw(statement).execute(db), { code: '42501' }, statement)

test('the API and the worker read and number the log of the stream, and nobody writes it by hand', async () => {
  const post = await publishAsModel(service, { kind: kindNamed('message'), accountId })
  const insert = `insert into stream_entries (kind, post_id, type) values ('message', '${post}', 'post.removed')`
  const update = "update stream_entries set type = 'post.removed'"
  for (const db of [service.db, service.workerDb]) {
    await refuses(db, insert)
    await refuses(db, update)
    await numberEntries(db, service.clock.now())
  }
  await refuses(service.db, 'delete from stream_entries')
  await refuses(service.db, `select note_author_gone('${post}')`)
})

test('positions have no gaps, whoever numbers at the same time', async () => {
  const publish = () => publishAsModel(service, { kind: kindNamed('message'), accountId })
  for (let round = 0; round < 5; round++) {
    await Promise.all([publish(), publish(), publish()])
    const at = service.clock.now()
    await Promise.all([service.db, service.workerDb, service.db].map((db) => numberEntries(db, at)))
  }
  const rows = await service.asOwner<{ position: string | null }>(
    'select position from stream_entries order by position',
  )
  assert.deepEqual(
    rows.map(({ position }) => Number(position)),
    rows.map((_, index) => index + 1),
  )
})

test('an entry of a transaction that rolls back is never told', async () => {
  const count = async () => (await service.asOwner('select from stream_entries')).length
  const before = await count()
  const post = await publishAsModel(service, { kind: kindNamed('message'), accountId })
  await assert.rejects(
    service.asWorker(async (tx) => {
      await sql`update posts set edited_at = ${service.clock.now()} where id = ${post}`.execute(tx)
      throw new Error('rolled back')
    }),
    /rolled back/,
  )
  assert.equal(await count(), before + 1)
})
