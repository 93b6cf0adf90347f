// Runs alone: it measures the event loop.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { smoothed, watchLoop } from './loop-delay.ts'
import { maxLoopDelayMs } from './shed-load.ts'

const after = (...measured: number[]) => measured.reduce(smoothed, 0)

test('one long pause does not cause load shedding, but repeated delays do', () => {
  assert.ok(after(60_000) < maxLoopDelayMs)
  assert.ok(after(60_000, 0, 0, 60_000, 0, 0, 60_000) < maxLoopDelayMs)
  assert.ok(after(600, 600, 600) > maxLoopDelayMs)
  assert.ok(after(...new Array<number>(10).fill(300)) > maxLoopDelayMs)
  assert.ok(after(...new Array<number>(1_000).fill(200)) < maxLoopDelayMs)
})

test('the delay recovers within half a second', () => {
  assert.ok(after(...new Array<number>(100).fill(10_000), ...new Array<number>(10).fill(0)) < maxLoopDelayMs / 4)
})

test('work that blocks the event loop is measured', async () => {
  const loop = watchLoop()
  for (const end = performance.now() + 200; performance.now() < end; );
  while (loop.delayMs() === 0) await new Promise((resolve) => setImmediate(resolve))
  assert.ok(loop.delayMs() > 20, String(loop.delayMs()))
  loop.stop()
})
