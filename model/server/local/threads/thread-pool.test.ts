import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { ModelUnavailable } from '../local-model.ts'
import { openThreadPool } from './thread-pool.ts'

/** Returns one result per text; `die` ends the thread, `hang` never ends, and `fail` throws an error. */
const obedient = `
  const { parentPort } = require('node:worker_threads')
  parentPort.on('message', ({ items: texts }) => {
    if (texts.includes('die')) process.exit(1)
    while (texts.includes('hang'));
    if (texts.includes('fail')) return parentPort.postMessage({ error: 'The encoder failed.' })
    const scored = (text) => ({ judged: true, scores: { spam: text.length }, overall: texts.length })
    parentPort.postMessage({ answers: texts.map(scored) })
  })
  parentPort.postMessage({ isReady: true })`
const start = () => new Worker(obedient, { eval: true })
type Scored = { scores: { spam: number }; overall: number }
const openPool = (...args: Parameters<typeof openThreadPool>) => openThreadPool<string, Scored>(...args)
const lengths = (answers: Scored[]) => answers.map(({ scores }) => scores.spam)

test('each request gets its own result, even with more requests than threads', async () => {
  await using pool = await openPool(2, start)
  const questions = Array.from({ length: 9 }, (_, index) => pool.ask(['x'.repeat(index + 1)]))
  assert.deepEqual((await Promise.all(questions)).map(lengths), [[1], [2], [3], [4], [5], [6], [7], [8], [9]])
})

test('waiting requests go to a thread in one batch of at most eight texts', async () => {
  await using pool = await openPool(1, start)
  const questions = Array.from({ length: 6 }, (_, index) => pool.ask(['post', 'x'.repeat(index)]))
  const answers = await Promise.all(questions)
  assert.deepEqual(
    answers.map(lengths),
    [0, 1, 2, 3, 4, 5].map((length) => [4, length]),
  )
  assert.deepEqual(
    answers.map(([answer]) => answer?.overall),
    [2, 8, 8, 8, 8, 2],
  )
})

test('a batch has at most sixteen windows, and a larger request goes alone', async () => {
  await using pool = await openPool(1, start)
  const ask = (windows: number) => pool.ask(['x'], { windows })
  const answers = await Promise.all([ask(1), ask(8), ask(8), ask(8), ask(40), ask(1)])
  assert.deepEqual(
    answers.map(([answer]) => answer?.overall),
    [1, 2, 2, 1, 1, 1],
  )
})

test('a thread gets more time for more windows', async () => {
  await using pool = await openPool(1, start, { mostMs: 0, msPerWindow: 20 })
  const begun = performance.now()
  await assert.rejects(pool.ask(['hang'], { windows: 25 }), /stuck/)
  assert.ok(performance.now() - begun >= 490)
})

test('a pool reports how many windows are finished and how many are waiting', async () => {
  await using pool = await openPool(1, start)
  const questions = [pool.ask(['x'], { windows: 3 }), pool.ask(['x'], { windows: 48 })]
  assert.deepEqual(pool.progress(), { finished: 0, waiting: 51 })
  await Promise.all(questions)
  assert.deepEqual(pool.progress(), { finished: 51, waiting: 0 })
})

test('threads share the waiting requests', async () => {
  await using pool = await openPool(2, start)
  const both = [pool.ask(['hold']), pool.ask(['hold'])]
  const waiting = Array.from({ length: 4 }, () => pool.ask(['x']))
  const answers = (await Promise.all([...both, ...waiting])).map(([answer]) => Number(answer?.overall))
  assert.equal(Math.max(...answers), 2)
})

test('the other requests of a batch succeed even if one fails', async () => {
  for (const bad of ['fail', 'die', 'hang']) {
    await using pool = await openPool(1, start, { mostMs: 500, msPerWindow: 0 })
    const first = pool.ask(['first'])
    const [before, fatal, after] = ['before', bad, 'after'].map((text) => pool.ask([text]))
    await assert.rejects(fatal as Promise<unknown>, /failed|exited|stuck/)
    for (const question of [first, before, after]) assert.equal((await question)?.length, 1)
  }
})

test('an error affects only its own request', async () => {
  await using pool = await openPool(1, start)
  await assert.rejects(pool.ask(['fail']), /The encoder failed/)
  assert.deepEqual(lengths(await pool.ask(['fine'])), [4])
})

test('a thread that dies is replaced, and its request is rejected', async () => {
  await using pool = await openPool(1, start)
  const fatal = pool.ask(['die'])
  const waiting = pool.ask(['next'])
  await assert.rejects(fatal, /exited/)
  assert.deepEqual(lengths(await waiting), [4])
})

test('a pool whose threads do not start does not open', async () => {
  await assert.rejects(
    openPool(2, () => new Worker('throw new Error("no weights")', { eval: true })),
    /no weights/,
  )
})

test('if a thread cannot be replaced, the pool rejects requests instead of restarting forever', async () => {
  let started = 0
  await using pool = await openPool(1, () =>
    started++ === 0 ? start() : new Worker('process.exit(1)', { eval: true }),
  )
  const fatal = pool.ask(['die'])
  const waiting = pool.ask(['next'])
  await assert.rejects(fatal, /exited/)
  await assert.rejects(waiting, ModelUnavailable)
  await assert.rejects(pool.ask(['later']), ModelUnavailable)
  assert.deepEqual([started, pool.isWell()], [2, false])
})

test('a broken pool retries after a pause, reports each fault, and recovers when a thread starts', async () => {
  let started = 0
  const faults: string[] = []
  const { promise: isBack, resolve } = Promise.withResolvers<void>()
  const startLate = () => {
    const worker = ++started === 2 ? new Worker('process.exit(1)', { eval: true }) : start()
    if (started === 3) worker.on('message', () => setImmediate(resolve))
    return worker
  }
  const options = { pauseMs: 20, onFault: (fault: Error) => faults.push(fault.message) }
  await using pool = await openPool(1, startLate, options)
  await assert.rejects(pool.ask(['die']), /exited/)
  await isBack
  assert.ok(pool.isWell())
  assert.deepEqual(lengths(await pool.ask(['fine'])), [4])
  assert.deepEqual(faults, ['A model thread exited.', 'A model thread exited before it was ready.'])
})

test('a stuck thread is terminated and replaced, and its request is rejected', async () => {
  await using pool = await openPool(1, start, { mostMs: 1_000, msPerWindow: 0 })
  const stuck = pool.ask(['hang'])
  const waiting = pool.ask(['next'])
  await assert.rejects(stuck, (error) => /stuck/.test(String(error)) && !(error instanceof ModelUnavailable))
  assert.deepEqual(lengths(await waiting), [4])
})

test('a request cancelled before its turn is dropped and makes room in a full queue', async () => {
  await using pool = await openPool(1, start)
  const gone = new AbortController()
  const questions = Array.from({ length: 1_001 }, () => pool.ask(['x'], { signal: gone.signal }))
  const settled = Promise.allSettled(questions)
  await assert.rejects(pool.ask(['full']), ModelUnavailable)
  gone.abort()
  assert.deepEqual(lengths(await pool.ask(['fine'])), [4])
  const statuses = (await settled).map(({ status }) => status)
  assert.deepEqual([statuses[0], new Set(statuses.slice(1))], ['fulfilled', new Set(['rejected'])])
})

test('a closed pool rejects waiting and new requests', async () => {
  const pool = await openPool(1, start)
  await pool[Symbol.asyncDispose]()
  await assert.rejects(pool.ask(['late']), /closed/)
})
