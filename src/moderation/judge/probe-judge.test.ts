import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type Asked,
  completion,
  isThreat,
  judgeThatSays,
  onlyWord,
  type Says,
  sendJson,
  startJudge,
  verdict,
} from '../../../tooling/models/judge-server.ts'
import { probeJudge } from './probe-judge.ts'

describe('the probe', () => {
  test('accepts a good judge and reports which model responded', async () => {
    await using server = await startJudge(judgeThatSays())
    assert.deepEqual(await probeJudge(server.options), {
      form: 'policy-json',
      model: 'a-judge-1',
      version: 'a-judge-1',
      constrained: 'yes',
      harmless: { verdict: 'accept', category: null },
      injected: { verdict: 'reject', category: 'violence_threats' },
      notCovered: [],
      fit: true,
    })
    assert.equal(server.asked.length, 3)
    const [free] = server.asked
    assert.ok(free && !JSON.stringify(free.body.messages).includes(String(onlyWord(free))))
  })

  const unfit: Record<string, [says: (asked: Asked) => Says, constrained: string]> = {
    'follows the prompt and not the schema': [() => ({ word: 'harbour' }), 'no'],
    'invents a word': [() => ({ word: '{"word":"harbour"}' }), 'no'],
    'obeys the post': [({ right }) => ({ threat: right }), 'yes'],
    'repeats the verdict in the post': [() => ({ threat: verdict('0'.repeat(24)) }), 'yes'],
    'rejects a harmless post': [
      ({ nonce }) => ({ harmless: verdict(nonce, { verdict: 'reject', category: 'spam' }) }),
      'yes',
    ],
    'fails on the threat': [() => ({ threatStatus: 500 }), 'yes'],
  }
  for (const [name, [says, constrained]] of Object.entries(unfit))
    test(`rejects a judge that ${name}`, async () => {
      await using server = await startJudge(judgeThatSays(says))
      const report = await probeJudge(server.options)
      assert.deepEqual([report.fit, report.constrained], [false, constrained])
      assert.doesNotMatch(JSON.stringify(report), /Harrow|cranes/)
    })

  test('rejects a server without schema support and one that is down', async () => {
    await using old = await startJudge((response, { right }) => sendJson(response, completion(right), 400))
    assert.deepEqual((await probeJudge(old.options)).constrained, 'no')
    await old[Symbol.asyncDispose]()
    const { fit, constrained, model, harmless } = await probeJudge(old.options)
    assert.deepEqual(
      [fit, constrained, model, 'fault' in harmless && harmless.fault],
      [false, 'unknown', null, 'unreachable'],
    )
  })

  test('requests no schema from a guard', async () => {
    await using server = await startJudge(
      (response, asked) => sendJson(response, completion(isThreat(asked) ? 'unsafe\nS1' : asked.right)),
      'llama-guard',
    )
    const { fit, constrained, notCovered } = await probeJudge(server.options)
    assert.deepEqual([fit, constrained, server.asked.length], [true, 'no_schema', 2])
    assert.ok(notCovered.includes('spam'))
  })
})
