import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRepeating } from './repeat.ts'

test('runs follow one another, and an error is reported and does not end them', async () => {
  const third = Promise.withResolvers<void>()
  const errors: unknown[] = []
  let [runs, active] = [0, 0]
  await using _repeating = startRepeating({
    everyMs: 1,
    work: async () => {
      runs += 1
      active += 1
      assert.equal(active, 1)
      await new Promise(setImmediate)
      active -= 1
      if (runs === 3) third.resolve()
      throw new Error(`run ${runs}`)
    },
    onError: (error) => errors.push((error as Error).message),
  })
  await third.promise
  assert.deepEqual(errors.slice(0, 2), ['run 1', 'run 2'])
})

test('while more is waiting the next run starts at once, and the disposal waits for the current one', async () => {
  const done: number[] = []
  const begun = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  const repeating = startRepeating({
    everyMs: 2 ** 31 - 1,
    work: async () => {
      const run = done.length + 1
      if (run === 3) {
        begun.resolve()
        await goOn.promise
      }
      done.push(run)
      return run < 3
    },
    onError: assert.ifError,
  })
  await begun.promise
  const disposed = repeating[Symbol.asyncDispose]()
  assert.deepEqual(done, [1, 2])
  goOn.resolve()
  await disposed
  assert.deepEqual(done, [1, 2, 3])
})

test('a repetition that is disposed during its first pause never runs', async () => {
  const repeating = startRepeating({
    everyMs: 2 ** 31 - 1,
    waitsFirst: true,
    work: () => assert.fail('it ran'),
    onError: assert.ifError,
  })
  await repeating[Symbol.asyncDispose]()
})
