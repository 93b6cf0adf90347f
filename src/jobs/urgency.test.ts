import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openUrgency } from './urgency.ts'

const toPublications = { to: 'publish-post', running: 2 }

test('a less urgent job waits until fewer of the urgent ones run', async () => {
  const urgency = openUrgency()
  const ends = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const urgent = ends.map(({ promise }) => urgency.run('publish-post', undefined, () => promise))
  const order: string[] = []
  const page = urgency.run('build-page', toPublications, async () => void order.push('page'))
  await urgency.run('write-proof', undefined, async () => void order.push('proof'))
  assert.deepEqual(order, ['proof'], 'a job that defers to nothing runs at once')
  ends[0]?.resolve()
  await page
  assert.deepEqual(order, ['proof', 'page'])
  ends[1]?.resolve()
  await Promise.all(urgent)
})

test('it does not wait for ever, and a failure of the urgent one counts as its end', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const urgency = openUrgency()
  const end = Promise.withResolvers<void>()
  const urgent = [1, 2].map(() => urgency.run('publish-post', undefined, () => end.promise))
  let ran = 0
  const page = urgency.run('build-page', toPublications, async () => void ran++)
  t.mock.timers.tick(1_499)
  assert.equal(ran, 0)
  t.mock.timers.tick(1)
  await page
  assert.equal(ran, 1)
  const next = urgency.run('build-page', toPublications, async () => void ran++)
  end.reject(new Error('failed'))
  for (const one of urgent) await assert.rejects(one)
  await next
  assert.equal(ran, 2)
})
