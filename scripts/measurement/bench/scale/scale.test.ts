import assert from 'node:assert/strict'
import { mkdtempDisposableSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { times } from '../../../../tooling/test-length.ts'
import { barsOf } from './bars.ts'
import type { ScaleResult } from './results.ts'
import { benchScale } from './scale.ts'

/** The whole bench takes minutes. */
const isWhole = times({ whole: 1, short: 0 }) === 1

test('the scale bench measures the service at each size', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'broadside-scale-'))
  const output = join(folder.path, 'scale.json')
  const counts = isWhole ? [500, 1_000] : [300]
  const only = isWhole ? [] : ['--only', 'tables,submit,rebuild']
  const short = [...only, '--seconds', '1', '--rounds', '1', '--deliveries', '100']
  const exitCode = process.exitCode
  await benchScale(['--sizes', counts.join(','), ...short, '--output', output])
  // So few posts on a busy machine may miss bars, which is not what this test is about.
  process.exitCode = exitCode
  const { sizes, command, date } = JSON.parse(readFileSync(output, 'utf8')) as ScaleResult
  assert.match(command, /^npm run bench -- scale --sizes /)
  assert.match(date, /^\d{4}-\d{2}-\d{2}$/)
  assert.deepEqual(
    sizes.map(({ posts }) => posts),
    counts,
  )
  for (const { submit, publish, browse, desk, delivery, rebuild, tables } of sizes) {
    const others = [publish?.filesPerPublication, browse?.['topic']?.p95, desk?.statistics.p95, delivery?.perSecond]
    for (const figure of [submit?.perSecond, rebuild?.pagesPerSecond, ...(isWhole ? others : [])])
      assert.ok(Number(figure) > 0)
    assert.ok(tables?.some(({ table, bytesPerPost }) => table === 'posts' && bytesPerPost > 0))
  }
})

test('the bars compare the largest size with the smallest', () => {
  const times = (p95: number) => ({ p50: p95, p95, p99: p95 })
  const search = (sql: number, http: number) => ({ rare: { sql: times(sql), http: times(http), timedOut: 0 } })
  const small = { posts: 10, submit: { perSecond: 100, p50: 1, p99: 1 }, search: search(1, 9) }
  const large = { posts: 1_000, submit: { perSecond: 80, p50: 1, p99: 1 }, search: search(50, 80) }
  assert.deepEqual(
    barsOf({ sizes: [small, large] }).map(({ seen, passes }) => [seen, passes]),
    [
      [0.8, false],
      [50, true],
      [1.6, false],
    ],
  )
})
