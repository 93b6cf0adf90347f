import assert from 'node:assert/strict'
import { test } from 'node:test'
import { judgeThatSays, startJudge } from '../../../../tooling/models/judge-server.ts'
import { commands } from './judge.ts'

const run = async (environment: NodeJS.ProcessEnv) => commands[0]?.run({ values: {}, flags: {}, environment })

test('judge probe prints its findings and fails if the judge is unsuitable or missing', async (t) => {
  const printed = t.mock.method(console, 'log', () => {})
  await using good = await startJudge(judgeThatSays())
  await run({ JUDGE_URL: good.options.url, JUDGE_API_KEY: 'secret' })
  const report = JSON.parse(String(printed.mock.calls[0]?.arguments[0]))
  assert.deepEqual([report.fit, report.constrained, report.not_covered], [true, 'yes', []])
  assert.equal(good.asked[0]?.headers.authorization, 'Bearer secret')
  await using bad = await startJudge(judgeThatSays(({ right }) => ({ threat: right })))
  await assert.rejects(run({ JUDGE_URL: bad.options.url }), /not suitable/)
  await assert.rejects(run({}), /JUDGE_URL is not set/)
})
