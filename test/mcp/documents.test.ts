import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import type { Call } from '../../src/contract/call.ts'
import { referenceAddress } from '../../src/contract/generators/reference-address.ts'
import { problemCodes } from '../../src/contract/problems/problems.ts'
import { scopeNames } from '../../src/contract/scopes.ts'
import { type DocumentedSite, documentedSites } from '../../src/documents/deployment.ts'
import { markdownPath } from '../../src/documents/pages/book-page.ts'
import { documentPages } from '../../src/documents/pages/index.ts'
import { documentsOf, exampleDeployment } from '../../src/documents/site-documents.ts'
import { mcpRevisions } from '../../src/mcp/protocol/protocol.ts'
import { serveMcp } from '../../src/mcp/protocol/serve-mcp.ts'
import { siteServer } from '../../src/mcp/servers.ts'
import { commonTools, toolsOf } from '../../src/mcp/tools/describe-tool.ts'
import { operationsOf } from '../../src/operations.ts'

const pages = documentPages(exampleDeployment)
const sites = documentedSites(exampleDeployment).map((site) => ({
  site,
  documents: new Map(documentsOf(site)),
  pageAt: (path: string) => String(pages.get(`${site.slug}/${markdownPath(path)}`)),
}))

/** The server's response to a request that needs no database: the status is the one in the example of the contract. */
function serverOf({ kind, baseUrl }: DocumentedSite) {
  const operations = operationsOf(kind).map((operation) =>
    operation.id === 'getStatus' ? { ...operation, handle: async () => operation.examples.output } : operation,
  )
  const call = { baseUrl, requestId: 'none', site: kind.name } as Call
  const server = serveMcp(siteServer({ kind, baseUrl, operations }))
  const visit = { call, known: null, allowances: {}, seen: {} }
  return async (headers: Record<string, string>, message: object) => {
    const answer = await server.answer({ headers, message, visit })
    const type = new Headers(answer.headers).get('content-type')
    const text = answer instanceof Response ? await answer.text() : answer.body
    return { type, answer: JSON.parse(text.replace(/^event: message\ndata: /, '')) }
  }
}

const [modern, legacy] = mcpRevisions
const accept = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }

test('the server card matches the server’s own description in both revisions', async () => {
  for (const { site, documents } of sites) {
    const card = JSON.parse(String(documents.get('mcp/server-card')))
    const { name, version, title, websiteUrl, capabilities, serverInfo, remotes } = card
    assert.deepEqual([remotes[0].url, remotes[0].supportedProtocolVersions], [`${site.baseUrl}/mcp`, mcpRevisions])
    const ask = serverOf(site)
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': modern,
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const { answer: discovered } = await ask(
      { ...accept, 'mcp-protocol-version': modern, 'mcp-method': 'server/discover' },
      { jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta } },
    )
    assert.ok(discovered.result.supportedVersions.includes(modern))
    const params = { protocolVersion: legacy, capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    const { answer: begun } = await ask(accept, { jsonrpc: '2.0', id: 1, method: 'initialize', params })
    assert.equal(begun.result.protocolVersion, legacy)
    for (const { info, said } of [
      { info: discovered.result._meta['io.modelcontextprotocol/serverInfo'], said: discovered.result.capabilities },
      { info: begun.result.serverInfo, said: begun.result.capabilities },
    ]) {
      const { description: _, ...rest } = info
      assert.deepEqual(rest, { name, title, version, websiteUrl })
      assert.deepEqual(said, capabilities)
    }
    assert.deepEqual(serverInfo, { name, title, version })
  }
})

test('every catalog links to the MCP server, and every text for agents names it', () => {
  for (const { site, documents } of sites) {
    const read = (path: string) => JSON.parse(String(documents.get(path)))
    const { linkset } = read('.well-known/api-catalog')
    assert.deepEqual(linkset[0].item.at(-1), { href: `${site.baseUrl}/mcp` })
    const [entry] = read('.well-known/ai-catalog.json').entries.filter(
      ({ type }: { type: string }) => type === 'application/mcp-server-card+json',
    )
    assert.equal(entry.url, `${site.baseUrl}/mcp/server-card`)
    const { properties } = read('apis.json').apis[0]
    assert.ok(
      properties.some(({ type, url }: Record<string, string>) => /^MCP/.test(`${type}`) && url?.endsWith('/mcp')),
    )
    for (const path of ['llms.txt', 'skill.md', 'auth.md'])
      assert.ok(String(documents.get(path)).includes(`${site.baseUrl}/mcp`), path)
  }
})

test('the MCP page lists every tool with its operation', () => {
  for (const { site, pageAt } of sites) {
    const rows = pageAt('docs/mcp/').split('\n')
    for (const { tool, operation } of toolsOf(site.kind, operationsOf(site.kind))) {
      const row = rows.find((line) => line.startsWith(`- **\`${tool.name}\`**: `))
      assert.ok(row, tool.name)
      assert.ok(row.includes(`(${referenceAddress(operation)})`), tool.name)
      assert.ok(row.includes(operation.access === 'key' ? ' Key required. ' : ' Key optional. '), tool.name)
    }
  }
})

/** Names that look like tools but are something else. */
const others = new Set<string>([
  'contact_email',
  'edit_micros',
  'publish_a_post',
  'publish_at',
  ...scopeNames,
  ...problemCodes,
])

test('texts name only tools that the site has, or the server for all sites', () => {
  const common = commonTools(sites.map(({ site: { kind } }) => ({ kind, operations: operationsOf(kind) })))
  const names = /`((?:check|publish|search|browse|edit|appeal|report|create|turn|list|test|contact)_\w+|get_\w+)`/g
  for (const { site, documents } of sites) {
    const known = new Set([...toolsOf(site.kind, operationsOf(site.kind)), ...common].map(({ tool }) => tool.name))
    // The methods of the Python client have names like tools.
    const ownPages = [...pages].filter(
      ([path]) => path.startsWith(`${site.slug}/`) && path.endsWith('.md') && !path.endsWith('/docs/python.md'),
    )
    for (const [path, text] of [...ownPages, ...documents]) {
      const spoken = [...String(text).matchAll(names)].map(([, name = '']) => name)
      assert.deepEqual(
        spoken.filter((name) => !known.has(name) && !others.has(name)),
        [],
        path,
      )
    }
  }
})

/** The shell commands on the page, as a reader copies them. */
const commandsOn = (page: string) => [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, command]) => String(command))

/** The arguments of curl after the shell has parsed the command. */
function argumentsOf(command: string): string[] {
  const shown = execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }\n${command}`], { encoding: 'utf8' })
  return shown.split('\0').slice(0, -1)
}

test('the requests on the MCP page work in each revision', async () => {
  for (const { site, pageAt } of sites) {
    const ask = serverOf(site)
    const requests = commandsOn(pageAt('docs/mcp/'))
      .filter((command) => command.startsWith('curl'))
      .map(argumentsOf)
    const types: unknown[] = []
    for (const given of requests) {
      assert.ok(given.includes(`${site.baseUrl}/mcp`))
      const headers = given.filter((_, index) => given[index - 1] === '-H').map((header) => header.split(/: (.*)/, 2))
      const { type, answer } = await ask(Object.fromEntries(headers), JSON.parse(String(given.at(-1))))
      assert.equal(answer.result?.structuredContent?.status, 'up', JSON.stringify(answer))
      types.push(type)
    }
    assert.deepEqual(types, ['application/json', 'text/event-stream'])
  }
})
