import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { migratedDatabase, type OwnDatabase } from '../../../../tooling/services/databases.ts'
import { type Connection, connect, inTransaction, runTogether, violatedConstraint } from '../database.ts'
import { Batch } from './batch.ts'

let database: OwnDatabase
let connection: Connection
let batches = 0

before(async () => {
  database = await migratedDatabase('batch')
  connection = connect(database.adminUrl, { poolMax: 1, applicationName: 'batch test' })
  await connection.pool.query(
    'create table public.notes (id integer constraint note_once primary key, text text not null)',
  )
  connection.pool.on('acquire', (client) => {
    if (Object.hasOwn(client, 'query')) return
    const plain = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((...args: unknown[]) => {
      if (args[0] instanceof Batch) batches += 1
      return plain(...args)
    }) as typeof client.query
  })
})

after(async () => {
  await connection[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

const add = (id: unknown, text: unknown) => ({
  text: 'insert into public.notes values ($1, $2) returning id',
  values: [id, text],
})
const count = { text: 'select count(*) as notes from public.notes where id >= $1', values: [0] }

test('a batch is one message to the server and one transaction', async () => {
  const before = batches
  assert.deepEqual(await runTogether(connection.db, [add(1, 'first'), add(2, 'second'), count]), [
    [{ id: 1 }],
    [{ id: 2 }],
    [{ notes: 2 }],
  ])
  assert.equal(batches, before + 1)
})

test('after an error, nothing of the batch is stored, and its statement explains it', async () => {
  const seen: unknown[] = []
  const explain = (error: unknown) => {
    seen.push(violatedConstraint(error))
    return new Error('there is such a note')
  }
  const failing = runTogether(connection.db, [add(10, 'new'), { ...add(1, 'again'), explain }, add(11, 'after it')])
  await assert.rejects(failing, { message: 'there is such a note' })
  assert.deepEqual(seen, ['note_once'])
  assert.deepEqual(await runTogether(connection.db, [{ ...count, values: [10] }]), [[{ notes: 0 }]])
})

test('statements that the server skipped after an error are prepared when they are used again', async () => {
  const skipped = { text: 'select $1::integer + 40 as sum', values: [2] }
  await assert.rejects(runTogether(connection.db, [add(1, 'again'), skipped]))
  assert.deepEqual(await runTogether(connection.db, [skipped, count]), [[{ sum: 42 }], [{ notes: 2 }]])
  assert.deepEqual(await runTogether(connection.db, [skipped]), [[{ sum: 42 }]])
})

test('a value that cannot be sent fails the batch before anything is written', async () => {
  const cyclic: Record<string, unknown> = {}
  cyclic['self'] = cyclic
  await assert.rejects(runTogether(connection.db, [add(20, 'new'), add(21, cyclic)]), /circular/i)
  assert.deepEqual(await runTogether(connection.db, [{ ...count, values: [20] }]), [[{ notes: 0 }]])
})

test('an error at the commit is the error of the batch', async () => {
  await connection.pool.query(
    'create table public.links (id integer, note integer references public.notes deferrable initially deferred)',
  )
  const dangling = { text: 'insert into public.links values ($1, $2)', values: [1, 404] }
  await assert.rejects(runTogether(connection.db, [dangling, add(30, 'new')]), pg.DatabaseError)
  assert.deepEqual(await runTogether(connection.db, [{ ...count, values: [30] }]), [[{ notes: 0 }]])
})

test('a value that cannot be read is an error', async () => {
  const large = { text: 'select $1::bigint as large', values: ['9007199254740993'] }
  await assert.rejects(runTogether(connection.db, [count, large]), /safe integer/)
  assert.deepEqual(await runTogether(connection.db, [count]), [[{ notes: 2 }]])
})

test('inside a transaction, statements are part of it, and so is what comes after the commit', async () => {
  const events: string[] = []
  const noted = {
    ...add(40, 'new'),
    afterwards: (rows: readonly object[]) => () => events.push(`${rows.length} stored`),
  }
  await assert.rejects(
    inTransaction(connection.db, async (tx) => {
      await runTogether(tx, [noted])
      throw new Error('changed its mind')
    }),
    /changed its mind/,
  )
  assert.deepEqual(events, [])
  await inTransaction(connection.db, (tx) => runTogether(tx, [noted]))
  await runTogether(connection.db, [{ ...noted, values: [41, 'new'] }])
  assert.deepEqual(events, ['1 stored', '1 stored'])
})
