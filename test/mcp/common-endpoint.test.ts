import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { authenticateKey } from '../../src/calls/admit.ts'
import { maxBodyBytes, maxFormBytes } from '../../src/contract/limits.ts'
import { Problem } from '../../src/contract/problems/problem.ts'
import type { ProblemCode } from '../../src/contract/problems/problems.ts'
import { type Kind, kinds } from '../../src/kinds/index.ts'
import { byKey } from '../../src/mcp/http-adapter.ts'
import { newId } from '../../src/platform/identifiers.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { assertProblem } from '../../tooling/problem-document.ts'
import { callTool, mcpRequest, readAnswer, type Sending, sendMcp } from '../support/mcp/call-tool.ts'
import { eras } from '../support/mcp/mcp-client.ts'
import { type PostSeed, seedPost } from '../support/posts/create-post.ts'

let service: Service
let writer: Awaited<ReturnType<Service['createCustomer']>>
before(async () => {
  service = await startService({ commonMcp: { authentication: byKey } })
  writer = await service.createCustomer(100_000_000)
})
after(() => service[Symbol.asyncDispose]())

const kindNames = kinds.map(({ name }) => name)

const call = (name: string, given: unknown, sending: Sending = { apiKey: writer.api_key }) =>
  callTool(service.accountPageUrl, name, given, sending)

const errorsOf = async (name: string, given: unknown) => {
  const { problem } = await call(name, given)
  return { code: problem?.code, errors: problem?.errors }
}

test('a kind that is missing or unknown is refused with the kinds that there are', async () => {
  const detail = `must be ${kindNames.map((name) => `"${name}"`).join(', ')}`.replace(/, ([^,]*)$/, ' or $1')
  const error = { pointer: '#/kind', detail, allowed: kindNames }
  const meant: Record<string, string> = { Story: 'story', stories: 'story' }
  const codes = { publish_post: 'validation_failed', check_post: 'validation_failed', browse_posts: 'invalid_query' }
  for (const [name, code] of Object.entries(codes))
    for (const kind of [
      undefined,
      null,
      '',
      'Story',
      'stories',
      5,
      {},
      ['story'],
      '__proto__',
      'constructor',
      'toString',
    ]) {
      const closest = typeof kind === 'string' && Object.hasOwn(meant, kind) ? { closest: meant[kind] } : {}
      const refused = await errorsOf(name, { ...kinds[0]?.examples[0], kind })
      assert.deepEqual(refused, { code, errors: [{ ...error, ...closest }] }, `${name} ${kind}`)
    }
  assert.equal((await call('publish_post', {}, {})).problem?.code, 'missing_api_key', 'a key is asked for first')
})

test('the body of another kind is refused as on the site', async () => {
  for (const kind of kinds)
    for (const other of kinds.filter((each) => each !== kind)) {
      const body = other.examples[0] as Record<string, unknown>
      const { code, errors } = await errorsOf('check_post', { kind: kind.name, ...body })
      const { problem } = await callTool(String(service.baseUrls[kind.name]), `check_${kind.name}`, body, {
        apiKey: writer.api_key,
      })
      assert.equal(code ?? 'accepted', problem?.code ?? 'accepted')
      assert.deepEqual(errors, problem?.errors)
      const unknown = Object.keys(body).filter((name) => !(name in kind.content.shape))
      for (const name of unknown)
        assert.ok(errors?.some((error) => error.pointer === `#/${name}` && error.detail === 'is not recognized'))
    }
})

const byId = ['get_post', 'edit_post', 'delete_post', 'appeal_post', 'contact_seller']

/** Arguments about a post that every kind accepts. */
const about = (name: string, id: string) => ({
  [name === 'contact_seller' ? 'post_id' : 'id']: id,
  ...(name === 'edit_post' && { topics: ['tides'] }),
  ...(name === 'appeal_post' && { message: 'Please look again.' }),
  ...(name === 'contact_seller' && { message: 'Is it still available? We could collect it on Saturday.' }),
})

/** The problem without what differs in every response. */
const comparable = (problem: object | undefined) => ({ ...problem, instance: '', type: '' })

const siteHaving = (tool: string) =>
  String(service.baseUrls[(kinds.find((kind) => tool !== 'contact_seller' || kind.acceptsRelay) as Kind).name])

test('a post that does not exist gets the same problem as on a site', async () => {
  await service.asOwner('update accounts set email_verified_at = created_at')
  const ids = [
    newId('post', service.clock.now()),
    'post_1',
    'post',
    '',
    '__proto__',
    '../v1/account',
    'x'.repeat(10_000),
  ]
  for (const name of byId)
    for (const id of ids) {
      const here = await call(name, about(name, id))
      const there = await callTool(siteHaving(name), name, about(name, id), { apiKey: writer.api_key })
      assert.ok(here.problem, `${name} ${id}`)
      assert.deepEqual(comparable(here.problem), comparable(there.problem), `${name} ${id}`)
    }
  for (const id of [undefined, null, 5, {}, []])
    for (const name of byId.slice(0, 4))
      assert.deepEqual((await errorsOf(name, { id, message: 'x', topics: [] })).errors?.[0]?.pointer, '#/id')
})

test('another account’s post that waits for a decision cannot be told from one that does not exist', async () => {
  const { api_key: apiKey } = await service.createAccount()
  for (const kind of kinds)
    for (const status of ['queued', 'review', 'rejected'] satisfies PostSeed['status'][]) {
      const id = await seedPost(service, kind, { accountId: writer.id, status })
      for (const given of [about('edit_post', id), { id, ...kind.examples[0] }, { id, nonsense: 1 }]) {
        const { problem } = await call('edit_post', given, { apiKey })
        assert.equal(problem?.code, 'post_not_found')
      }
      assert.equal((await call('get_post', { id }, {})).problem?.code, 'post_not_found')
      assert.equal((await call('get_post', { id })).result?.structuredContent?.['status'], status)
    }
})

test('an edit takes the fields of the post’s own kind', async () => {
  for (const kind of kinds) {
    const id = await seedPost(service, kind, { accountId: writer.id, status: 'published' })
    for (const other of kinds) {
      const foreign = Object.keys(other.content.shape).filter((name) => !(name in kind.content.shape))
      const { errors = [] } = await errorsOf('edit_post', {
        id,
        ...Object.fromEntries(foreign.map((name) => [name, 'x'])),
      })
      const pointers = errors.map(({ pointer }) => pointer).sort()
      if (foreign.length > 0) assert.deepEqual(pointers, foreign.map((name) => `#/${name}`).sort())
    }
    assert.equal((await call('edit_post', { id, topics: ['tides'] })).problem, undefined, kind.name)
  }
})

test('a message to the author of a post that takes none is refused as on the site that has the tool', async () => {
  for (const kind of kinds.filter(({ acceptsRelay }) => !acceptsRelay)) {
    const id = await seedPost(service, kind, { accountId: writer.id, status: 'published' })
    assert.equal((await call('contact_seller', about('contact_seller', id))).problem?.code, 'post_not_found')
  }
})

test('names that mean something in JavaScript or on a site mean nothing here', async () => {
  for (const era of eras)
    for (const name of [...kindNames.map((kind) => `publish_${kind}`), 'publish_{kind}', 'toString', '__proto__', '']) {
      const { status, error, body } = await call(name, {}, { era })
      assert.deepEqual([status, error?.code], [200, -32_602], name)
      assert.ok(name === '' || !body.includes(name))
    }
  for (const name of ['__proto__', 'constructor', 'toString', 'nonsense'])
    for (const [tool, given] of [
      ['publish_post', { kind: 'message', text: 'x' }],
      ['browse_posts', { kind: 'story' }],
      ['get_status', {}],
    ] as const) {
      const { errors } = await errorsOf(
        tool,
        JSON.parse(`{${JSON.stringify(name)}:1,${JSON.stringify(given).slice(1)}`.replace(',}', '}')),
      )
      assert.deepEqual(
        errors?.map(({ pointer }) => pointer),
        [`#/${name}`],
        `${tool} ${name}`,
      )
    }
})

test('the server says who it is, and has prompts and resources for every kind', async () => {
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  const { result } = await sendMcp(service.accountPageUrl, 'initialize', hello, { era: 'legacy' })
  const { serverInfo, instructions } = result as unknown as { serverInfo: Record<string, string>; instructions: string }
  assert.deepEqual([serverInfo['name'], serverInfo['title']], ['localhost/posts', 'Broadside'])
  for (const { name, site } of kinds) assert.ok(instructions.includes(`- ${name}: ${site.about}`))

  const prompt = async (given: object) =>
    sendMcp(service.accountPageUrl, 'prompts/get', { name: 'publish_a_post', arguments: given })
  for (const { name, site } of kinds) {
    const { body } = await prompt({ kind: name, about: 'the tides' })
    assert.match(body, new RegExp(`publish an? ${site.noun} on ${site.title}`))
    assert.ok(body.includes(`\`kind\` is ${name}`) && body.includes('publish_post') && body.includes('the tides'))
  }
  assert.ok((await prompt({})).body.includes(kindNames.join(', ')))
  assert.equal((await prompt({ kind: 'poem' })).error?.code, -32_602)

  for (const baseUrl of Object.values(service.baseUrls))
    for (const path of ['policy.json', 'problems/post_not_found']) {
      const uri = `${baseUrl}/${path}`
      const read = await sendMcp(service.accountPageUrl, 'resources/read', { uri })
      assert.ok(read.body.includes(uri) && !read.error, uri)
    }
  const elsewhere = { uri: `${service.accountPageUrl}/policy.json` }
  assert.equal((await sendMcp(service.accountPageUrl, 'resources/read', elsewhere)).error?.code, -32_602)
})

const raw = async (init: RequestInit & { headers?: Record<string, string> }, baseUrl = service.accountPageUrl) => {
  const sent = mcpRequest('tools/call', { name: 'get_status' })
  const response = await fetch(`${baseUrl}/mcp`, {
    ...{ method: 'POST', body: sent.body },
    ...init,
    headers: { ...sent.headers, ...init.headers },
  })
  const answer = readAnswer(response.status, response.headers, await response.text())
  return { ...answer, contentType: response.headers.get('content-type') }
}

test('the gateway treats the endpoint like the API, and not like a page for people', async () => {
  const { body } = mcpRequest('tools/call', { name: 'get_status' })
  const html = { accept: 'text/html,application/json,text/event-stream' }
  assert.ok(maxBodyBytes > maxFormBytes)
  assert.equal((await raw({ body: body.padEnd(maxBodyBytes, ' ') })).status, 200)
  for (const size of [maxBodyBytes + 1, 2_000_000])
    assertProblem(await raw({ body: body.padEnd(size, ' '), headers: html }), 'body_too_large')
  const got = await raw({ method: 'GET', body: null, headers: html })
  assertProblem(got, 'method_not_allowed')
  assert.equal(got.headers.get('allow'), 'POST')
  for (const origin of [...Object.values(service.baseUrls), service.accountPageUrl])
    assert.equal((await raw({ headers: { origin } })).status, 200, origin)
  for (const origin of ['https://attacker.example', 'null'])
    assertProblem(await raw({ headers: { origin } }), 'origin_not_allowed')
  assertProblem(await raw({ headers: { authorization: 'Bearer wrong' } }), 'invalid_api_key')
  await using busy = await startService({ requestsPerSecond: 1, burst: 1, commonMcp: { authentication: byKey } })
  const burst = await Promise.all(Array.from({ length: 6 }, () => raw({ headers: html }, busy.accountPageUrl)))
  const refused = burst.filter(({ status }) => status === 429)
  assert.ok(refused.length > 0)
  for (const answer of refused) assertProblem(answer, 'platform_busy')
})

test('who may call is decided by one part, which can also answer over HTTP', async () => {
  const challenge = { 'www-authenticate': 'Bearer resource_metadata="https://x.example/"' }
  const forClient: readonly ProblemCode[] = ['missing_api_key']
  await using guarded = await startService({
    commonMcp: {
      authentication: {
        authenticate: async (one, { authorization }) => {
          if (authorization === 'Bearer whole') return { status: 418, headers: { 'x-whole': 'yes' }, body: '{}' }
          if (authorization === 'Bearer none') return null
          if (authorization === undefined) throw new Problem('missing_api_key', 'Sign in.', { headers: challenge })
          return authenticateKey(one, authorization)
        },
        problemForHttp: (problem) => (forClient.includes(problem.code) ? problem.withHeaders(challenge) : undefined),
      },
    },
  })
  const { api_key: apiKey } = await guarded.createAccount()
  for (const era of eras) {
    const ask = (name: string, sending: Sending) => callTool(guarded.accountPageUrl, name, {}, { era, ...sending })
    assert.equal((await ask('get_account', { apiKey })).problem, undefined)
    const whole = await ask('get_status', { apiKey: 'whole' })
    assert.deepEqual([whole.status, whole.headers.get('x-whole')], [418, 'yes'])
    // Refused before the message is read; and refused by a tool.
    for (const refused of [await ask('get_status', {}), await ask('get_account', { apiKey: 'none' })]) {
      assertProblem({ ...refused, contentType: refused.headers.get('content-type') }, 'missing_api_key')
      assert.equal(refused.headers.get('www-authenticate'), challenge['www-authenticate'])
    }
    assert.equal((await ask('get_status', { apiKey: 'none' })).status, 200)
    assert.equal((await ask('get_post', { apiKey: 'none' })).result?.isError, true, 'other problems stay in the result')
    // The SDK answers calls that are not plain.
    const request = mcpRequest(
      'tools/call',
      { name: 'get_account', task: undefined, inputResponses: {} },
      { era, apiKey: 'none' },
    )
    const response = await fetch(`${guarded.accountPageUrl}/mcp`, { method: 'POST', ...request })
    assert.deepEqual([response.status, response.headers.get('www-authenticate')], [401, challenge['www-authenticate']])
  }
  // The sites are not affected.
  assert.equal((await callTool(guarded.baseUrl, 'get_account', {})).result?.isError, true)
})
