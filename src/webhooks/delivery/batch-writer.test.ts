import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { createLogger } from '../../platform/observability/logger.ts'
import { createBatchWriter } from './batch-writer.ts'

const logger = createLogger('silent', 'test')

test('items that arrive during a write are written together', async () => {
  const batches: number[][] = []
  const together = createBatchWriter<number>('numbers', logger, async (items) => void batches.push([...items]))
  await Promise.all([1, 2, 3, 4].map((number) => together.add(number)))
  assert.deepEqual(batches, [[1], [2, 3, 4]])
})

test('a rejected item does not block the others', async () => {
  const written: number[] = []
  const together = createBatchWriter<number>('numbers', logger, async (items) => {
    if (items.includes(3)) throw Object.assign(new pg.DatabaseError('refused', 0, 'error'), { code: '22P02' })
    written.push(...items)
  })
  await Promise.all([1, 2, 3, 4, 5].map((number) => together.add(number)))
  assert.deepEqual(written, [1, 2, 4, 5])
  await together.add(6)
  assert.deepEqual(written.at(-1), 6)
})

test('writes are retried while the database is unavailable, and nothing is discarded', async () => {
  const written: number[] = []
  let failures = 2
  const together = createBatchWriter<number>('numbers', logger, async (items) => {
    if (failures-- > 0) throw Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
    written.push(...items)
  })
  await Promise.all([1, 2].map((number) => together.add(number)))
  assert.deepEqual(written, [1, 2])
})

test('closing a writer resolves all waiting items', async () => {
  const together = createBatchWriter<number>('numbers', logger, () => new Promise(() => {}))
  const waiting = [together.add(1), together.add(2)]
  together.close()
  await Promise.all([...waiting, together.add(3)])
})
