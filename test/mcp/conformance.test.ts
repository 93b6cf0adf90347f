import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { byKey } from '../../src/mcp/http-adapter.ts'
import { mcpRevisions } from '../../src/mcp/protocol/protocol.ts'
import { startService } from '../../tooling/environment/service.ts'
import { nightly } from '../../tooling/test-length.ts'
import { isMissed, runSuite } from './conformance/run-suite.ts'
import { serveFixtures } from './conformance/serve-fixtures.ts'

// The suites send no credentials. test/oauth/ covers the sign-in that the server for all sites requires.
const withoutSignIn = { authentication: byKey }
const service = await startService({ commonMcp: withoutSignIn })
after(() => service[Symbol.asyncDispose]())

const endpoints = { 'a site': service.baseUrl, 'the server for all sites': service.accountPageUrl }

for (const [name, baseUrl] of Object.entries(endpoints))
  test(`${name} meets every requirement of both revisions that its tools can demonstrate`, async (context) => {
    const run = async (revision: string) => {
      const { figures, checks } = await runSuite(baseUrl, revision, `${revision}.yml`)
      context.diagnostic(`${revision}: ${figures}`)
      return checks
    }
    const [modern = []] = await Promise.all(mcpRevisions.map(run))
    const headers = modern.filter(({ scenario }) => scenario === 'http-header-validation')
    assert.ok(headers.length >= 14, 'not required yet, but run')
    assert.deepEqual(headers.filter(isMissed), [])
  })

test(
  'with the tools that the suites expect, the same endpoints meet every requirement of both revisions',
  nightly,
  async (context) => {
    await using withFixtures = await startService({
      serveMcp: serveFixtures,
      commonMcp: { ...withoutSignIn, serve: serveFixtures },
    })
    const run = async (baseUrl: string, revision: string) => {
      const { figures } = await runSuite(baseUrl, revision, 'nothing.yml')
      context.diagnostic(`${revision}, fixtures: ${figures}`)
    }
    for (const baseUrl of [withFixtures.baseUrl, withFixtures.accountPageUrl])
      await Promise.all(mcpRevisions.map((revision) => run(baseUrl, revision)))
  },
)
