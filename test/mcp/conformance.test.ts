import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { mcpRevisions } from '../../src/mcp/protocol/protocol.ts'
import { startService } from '../../tooling/environment/service.ts'
import { isMissed, runSuite } from './conformance/run-suite.ts'
import { serveFixtures } from './conformance/serve-fixtures.ts'

const service = await startService()
after(() => service[Symbol.asyncDispose]())

test('a site meets every requirement of both revisions that its tools can demonstrate', async (context) => {
  const run = async (revision: string) => {
    const { figures, checks } = await runSuite(service.baseUrl, revision, `${revision}.yml`)
    context.diagnostic(`${revision}: ${figures}`)
    return checks
  }
  const [modern = []] = await Promise.all(mcpRevisions.map(run))
  const headers = modern.filter(({ scenario }) => scenario === 'http-header-validation')
  assert.ok(headers.length >= 14, 'not required yet, but run')
  assert.deepEqual(headers.filter(isMissed), [])
})

test('with the tools that the suites expect, the same endpoint meets every requirement of both revisions', async (context) => {
  await using withFixtures = await startService({ serveMcp: serveFixtures })
  const run = async (revision: string) => {
    const { figures } = await runSuite(withFixtures.baseUrl, revision, 'nothing.yml')
    context.diagnostic(`${revision}, fixtures: ${figures}`)
  }
  await Promise.all(mcpRevisions.map(run))
})
