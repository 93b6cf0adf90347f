import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { toolsOf } from '../src/mcp/describe-tool.ts'
import { mcpRevisions } from '../src/mcp/protocol.ts'
import { policy } from '../src/policy/policy.ts'
import { inspect } from './mcp-conformance/inspect.ts'
import { isMissed, runSuite } from './mcp-conformance/run-suite.ts'
import { serveFixtures } from './mcp-conformance/serve-fixtures.ts'
import { startService } from './support/service.ts'

const service = await startService()
after(() => service[Symbol.asyncDispose]())

test('a site meets every requirement of both revisions that its tools can show', async (context) => {
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

test('behind the same door, the tools that the suites look for meet every requirement of both', async (context) => {
  await using withFixtures = await startService({ serveMcp: serveFixtures })
  const run = async (revision: string) => {
    const { figures } = await runSuite(withFixtures.baseUrl, revision, 'nothing.yml')
    context.diagnostic(`${revision}, fixtures: ${figures}`)
  }
  await Promise.all(mcpRevisions.map(run))
})

test('the inspector lists the tools of every site without a warning, and the same ones in both eras', async () => {
  const [legacy, ...modern] = await Promise.all([
    listTools(service.baseUrl, 'legacy'),
    ...service.sites.map(({ baseUrl }) => listTools(baseUrl, 'modern')),
  ])
  const expected = service.sites.map(({ kind, operations }) => toolsOf(kind, operations).map(({ tool }) => tool.name))
  assert.deepEqual(
    modern.map((tools) => tools.map(({ name }) => name)),
    expected,
  )
  const site = service.sites.findIndex(({ baseUrl }) => baseUrl === service.baseUrl)
  assert.deepEqual(legacy, modern[site])
})

async function listTools(baseUrl: string, era: 'modern' | 'legacy') {
  return (await inspect<{ tools: { name: string }[] }>(baseUrl, era, 'tools/list', '--strict')).tools
}

test('the inspector calls tools, reads a resource and lists the prompts', async () => {
  const { baseUrl } = service
  const call = ['tools/call', '--tool-name']
  const [status, found, document, list] = await Promise.all([
    inspect<Called<{ status: string }>>(baseUrl, 'legacy', ...call, 'get_status'),
    inspect<Called<{ data: unknown[] }>>(baseUrl, 'modern', ...call, 'search_posts', '--tool-arg', 'q=harbour'),
    inspect<{ contents: { text: string }[] }>(baseUrl, 'modern', 'resources/read', '--uri', `${baseUrl}/policy.json`),
    inspect<{ prompts: { name: string }[] }>(baseUrl, 'legacy', 'prompts/list'),
  ])
  assert.equal(status.structuredContent.status, 'up')
  assert.deepEqual(found.structuredContent.data, [])
  assert.deepEqual(JSON.parse(String(document.contents[0]?.text)), JSON.parse(JSON.stringify(policy)))
  assert.deepEqual(
    list.prompts.map(({ name }) => name),
    ['publish_a_post'],
  )
})

type Called<Answer> = { structuredContent: Answer }
