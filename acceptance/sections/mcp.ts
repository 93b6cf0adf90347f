// The MCP server at /mcp, in both protocol eras, by hand-written JSON-RPC: spec 7 and Endpoints note 7; decisions 13; standards 5 and 9.
import { accountRecord, freshAccount, freshEmail, marker } from '../accounts.ts'
import {
  equal,
  excludes,
  hasStatus,
  holds,
  idPattern,
  includes,
  isArray,
  isInteger,
  isObject,
  isOkJson,
  isOwnerLink,
  isString,
  match,
  notNearMidnight,
  oneOf,
  sameJson,
} from '../assert.ts'
import { fixture, type Json, section, show, skip } from '../checks.ts'
import { bodies, poor, published, rich } from '../fixtures.ts'
import { parseRateLimit } from '../formats.ts'
import { messageText, prose, wordOf } from '../harmless.ts'
import { at, freshAddress, request } from '../http.ts'
import {
  answerOf,
  callTool,
  initialize,
  legacy,
  legacyRevision,
  modern,
  modernRevision,
  toolsOf,
} from '../mcp-client.ts'
import { kinds, sites } from '../targets.ts'

const test = section('mcp')

const trust = 'io.modelcontextprotocol/trust-annotations'
const untrusted = 'untrusted-user-content'
const wrongKey = `bsk_${'A'.repeat(49)}`
const everywhere =
  'search_posts browse_posts get_post edit_post delete_post appeal_post report_post create_account get_account turn_off_auto_recharge request_account_deletion list_webhooks create_webhook test_webhook delete_webhook get_status get_pricing get_policy'.split(
    ' ',
  )
const needKey = {
  get_account: {},
  turn_off_auto_recharge: {},
  request_account_deletion: {},
  list_webhooks: {},
  create_webhook: { url: 'https://93.184.215.14/hook' },
  test_webhook: { id: 'wh_01hzzzzzzzzzzzzzzzzzzzzzzz' },
  delete_webhook: { id: 'wh_01hzzzzzzzzzzzzzzzzzzzzzzz' },
  delete_post: { id: 'post_01hzzzzzzzzzzzzzzzzzzzzzzz' },
  edit_post: { id: 'post_01hzzzzzzzzzzzzzzzzzzzzzzz', text: messageText() },
  appeal_post: { id: 'post_01hzzzzzzzzzzzzzzzzzzzzzzz', message: 'Please look again.' },
  check_message: { text: messageText() },
  publish_message: { text: messageText() },
}
const userText = ['search_posts', 'browse_posts', 'get_post']

function isToolError(result, code) {
  equal(result.isError, true)
  // Where the code stands is open (structuredContent, or problem JSON in the text): it must be one of both.
  includes(JSON.stringify(result), code, 'tool error')
}
/** standards 9: the label in the body, in the result's _meta, in each text block's _meta, and a key of the service's own. */
function isLabelled(result, what) {
  equal(result._meta?.[trust]?.untrusted, true, `_meta["${trust}"].untrusted of ${what}`)
  holds(
    Object.entries(result._meta).some(([name, value]) => name !== trust && value === untrusted),
    `_meta of ${what}`,
    `a key of the service's own with ${untrusted}`,
    result._meta,
  )
  match(JSON.stringify(result.structuredContent), new RegExp(`"content_trust":"${untrusted}"`))
  for (const block of result.content ?? [])
    if (block.type === 'text') equal(block._meta?.[trust]?.untrusted, true, `_meta of a text block of ${what}`)
}
/** standards 5.5: with structuredContent, the same JSON stands in a text block. */
function isTwofold(result, what) {
  isObject(result.structuredContent, `structuredContent of ${what}`)
  const texts = result.content.filter(({ type }) => type === 'text').map(({ text }) => text)
  const same = texts.some((text) => {
    try {
      sameJson(JSON.parse(text), result.structuredContent, 'text')
      return true
    } catch {
      return false
    }
  })
  holds(
    same,
    `content of ${what}`,
    'a text block with the JSON of structuredContent',
    texts.map((text) => text.slice(0, 120)),
  )
}

// 2026-07-28 ------------------------------------------------------------------------------------------
test('discover: standards 5.2: server/discover names versions, capabilities and instructions', async () => {
  for (const kind of kinds) {
    const { reply, result } = await modern(kind, 'server/discover')
    hasStatus(reply, 200)
    holds(
      result?.supportedVersions?.includes(modernRevision),
      'supportedVersions',
      modernRevision,
      result?.supportedVersions,
    )
    isObject(result.capabilities?.tools)
    isObject(result.capabilities?.resources)
    equal(result.resultType, 'complete')
    isInteger(result.ttlMs, 'ttlMs', { min: 0 })
    oneOf(result.cacheScope, ['public', 'private'])
    isString(result._meta?.['io.modelcontextprotocol/serverInfo']?.name, 'serverInfo.name')
  }
})
test('instructions-untrusted: spec 8 and standards 9: the instructions say that post text is untrusted', async () => {
  match((await modern('message', 'server/discover')).result?.instructions, /untrusted/i)
})
for (const kind of kinds)
  test(`tools-${kind}: decisions 13: the tools of the ${kind} site, with its own noun`, async () => {
    const names = [...(await toolsOf(kind)).keys()]
    const wanted = [
      ...everywhere,
      `check_${kind}`,
      `publish_${kind}`,
      ...(kind === 'classified' ? ['contact_seller'] : []),
    ]
    equal(wanted.filter((name) => !names.includes(name)).join(' '), '', 'tools that are missing')
    const foreign = kinds.filter((other) => other !== kind).flatMap((other) => [`check_${other}`, `publish_${other}`])
    equal(foreign.filter((name) => names.includes(name)).join(' '), '', 'tools of other sites')
    if (kind !== 'classified') excludes(names, 'contact_seller', 'contact_seller')
  })
test('tools-definitions: standards 5.5: every tool has a name of 1–128 letters, a description, an object as input, and annotations', async () => {
  for (const kind of kinds)
    for (const tool of (await toolsOf(kind)).values()) {
      match(tool.name, /^[A-Za-z0-9_.-]{1,128}$/)
      isString(tool.description, `description of ${tool.name}`)
      equal(tool.inputSchema?.type, 'object', `inputSchema.type of ${tool.name}`)
      isObject(tool.annotations, `annotations of ${tool.name}`)
    }
})
test('tools-annotations: standards 5.5 and 9: reading tools are read-only, deletion is destructive, tools with user text are open-world', async () => {
  const tools = await toolsOf('message')
  for (const name of 'get_status get_pricing get_policy browse_posts get_post check_message get_account list_webhooks'.split(
    ' ',
  ))
    equal(tools.get(name)?.annotations?.readOnlyHint, true, `readOnlyHint of ${name}`)
  for (const name of ['delete_post', 'delete_webhook'])
    holds(
      tools.get(name)?.annotations?.destructiveHint !== false && tools.get(name)?.annotations?.readOnlyHint !== true,
      `annotations of ${name}`,
      'destructive',
      tools.get(name)?.annotations,
    )
  for (const name of userText) {
    equal(tools.get(name)?.annotations?.openWorldHint, true, `openWorldHint of ${name}`)
    holds(
      Object.entries(tools.get(name)?._meta ?? {}).some(
        ([key, value]) => /untrustedContentHint$/.test(key) && value === true,
      ),
      `_meta of ${name}`,
      'a key of the service with untrustedContentHint: true',
      tools.get(name)?._meta,
    )
  }
})
test('tools-deterministic: standards 5.2: tools/list has a fixed order and may be cached', async () => {
  await rich()
  const one = await modern('message', 'tools/list')
  const two = await modern('message', 'tools/list')
  equal(one.result.tools.map(({ name }) => name).join(), two.result.tools.map(({ name }) => name).join())
  equal(one.result.resultType, 'complete')
  isInteger(one.result.ttlMs, 'ttlMs', { min: 0 })
  oneOf(one.result.cacheScope, ['public', 'private'])
})
for (const kind of kinds)
  test(`check-${kind}: spec Endpoints 1: the MCP tool for a dry run is check_${kind}; it charges nothing`, async () => {
    const account = await freshAccount({ micros: 500_000 })
    const result = await callTool(kind, `check_${kind}`, bodies[kind](), { key: account.key })
    holds(result.isError !== true, `check_${kind}`, 'a result', show(result, 400))
    const answer = answerOf(result)
    equal(answer.dry_run, true)
    equal(answer.kind, kind)
    isInteger(answer.charge?.total_micros, 'charge.total_micros', { min: 1 })
    equal(await account.balance(), 500_000, 'balance_micros')
    isTwofold(result, `check_${kind}`)
  })
test('check-invalid: decisions 13: a problem comes back as a tool error with the same code', async () => {
  const account = await rich()
  const result = await callTool('message', 'check_message', { text: prose(501) }, { key: account.key })
  equal(result.isError, true)
})
test('check-empty-balance: decisions 13: when the owner is needed the tool error has the link', async () => {
  const account = await poor()
  const result = await callTool('message', 'check_message', { text: messageText() }, { key: account.key })
  isToolError(result, 'insufficient_balance')
  match(JSON.stringify(result), /\/o\/[A-Za-z0-9_-]{43}/, 'owner link')
})
test('publish: spec 7: the same operations over MCP: publish_message charges and queues', async () => {
  const account = await freshAccount({ micros: 100_000 })
  const result = await callTool('message', 'publish_message', { text: messageText() }, { key: account.key })
  holds(result.isError !== true, 'publish_message', 'a result', show(result, 400))
  const answer = answerOf(result)
  match(answer.id, idPattern('post'))
  equal(answer.status, 'queued')
  isObject(answer.moderation)
  equal(await account.balance(), 80_000, 'balance_micros')
  hasStatus(await at('message').get(`/v1/posts/${answer.id}`, { key: account.key }), 200)
})
test('publish-idempotent: decisions 13: publishing tools take idempotency_key as an argument: twice is charged once', async () => {
  const account = await freshAccount({ micros: 100_000 })
  const args = { text: messageText(), idempotency_key: `acceptance-${marker(6)}` }
  holds(
    'idempotency_key' in ((await toolsOf('message')).get('publish_message')?.inputSchema?.properties ?? {}),
    'inputSchema of publish_message',
    'idempotency_key',
    'none',
  )
  const ids = [
    answerOf(await callTool('message', 'publish_message', args, { key: account.key })).id,
    answerOf(await callTool('message', 'publish_message', args, { key: account.key })).id,
  ]
  equal(ids[1], ids[0], 'id of the second call')
  equal(await account.balance(), 80_000, 'balance_micros')
})
test('publish-idempotent-with-http: decisions 14: publish_* tools and POST /v1/posts share one idempotency space', async () => {
  const account = await freshAccount({ micros: 100_000 })
  const text = messageText()
  const idempotency_key = `acceptance-${marker(6)}`
  const first = answerOf(await callTool('message', 'publish_message', { text, idempotency_key }, { key: account.key }))
  const again = await at('message').post(
    '/v1/posts',
    { text },
    { key: account.key, headers: { 'idempotency-key': idempotency_key } },
  )
  equal(isOkJson(again, 202).id, first.id, 'id of the same post over HTTP')
  equal(again.headers['idempotent-replayed'], 'true')
  equal((await accountRecord(account.key)).balance_micros, 80_000)
})
test('get-policy: decisions 13: get_policy is the policy of /v1/policy', async () => {
  for (const kind of kinds)
    equal(answerOf(await callTool(kind, 'get_policy', {})).version, (await at(kind).get('/v1/policy')).json.version)
})
test('publish-other-body: decisions 10: the same idempotency_key with another body is refused in-band', async () => {
  const account = await freshAccount({ micros: 100_000 })
  const idempotency_key = `acceptance-${marker(6)}`
  await callTool('message', 'publish_message', { text: messageText(), idempotency_key }, { key: account.key })
  isToolError(
    await callTool('message', 'publish_message', { text: messageText(), idempotency_key }, { key: account.key }),
    'idempotency_key_reused',
  )
})
test('account-tools: spec 7: get_account, turn_off_auto_recharge and request_account_deletion over MCP', async () => {
  const account = await freshAccount()
  const record = answerOf(await callTool('story', 'get_account', {}, { key: account.key }))
  equal(record.id, account.id, 'id of get_account')
  const off = await callTool('story', 'turn_off_auto_recharge', {}, { key: account.key })
  holds(off.isError !== true, 'turn_off_auto_recharge', 'a result', show(off))
  const deletion = answerOf(await callTool('story', 'request_account_deletion', {}, { key: account.key }))
  equal(deletion.status, 'awaiting_owner', 'status of request_account_deletion')
  isOwnerLink(deletion.account_url)
})
test('create-account: spec 7: create_account over MCP needs no key', async () => {
  const answer = answerOf(
    await callTool('message', 'create_account', {
      name: `Acceptance ${marker(3)}`,
      email: freshEmail(),
      accept_terms: true,
    }),
  )
  match(answer.api_key, /^bsk_[0-9A-Za-z]{49}$/)
  isOwnerLink(answer.account_url)
  equal((await accountRecord(answer.api_key)).id, answer.id)
})
test('webhook-tools: spec 7: list_webhooks and create_webhook over MCP, with the same url rules', async () => {
  const account = await freshAccount()
  holds(
    (await callTool('message', 'list_webhooks', {}, { key: account.key })).isError !== true,
    'list_webhooks',
    'a result',
    'an error',
  )
  equal(
    (await callTool('message', 'create_webhook', { url: 'https://127.0.0.1/hook' }, { key: account.key })).isError,
    true,
    'isError of create_webhook with a private address',
  )
})
test('keyless-tools: decisions 13: without a key the keyless tools work', async () => {
  const post = await published.message()
  for (const [name, args] of [
    ['get_status', {}],
    ['get_pricing', {}],
    ['get_policy', {}],
    ['browse_posts', {}],
    ['get_post', { id: post.id }],
  ] as Json[][]) {
    const result = await callTool('message', name, args)
    holds(result.isError !== true, name, 'a result without a key', show(result))
    isTwofold(result, name)
  }
})
test('delete-post: spec 7: delete_post over MCP', async () => {
  const account = await freshAccount({ micros: 20_000 })
  const { id } = answerOf(await callTool('message', 'publish_message', { text: messageText() }, { key: account.key }))
  const result = await callTool('message', 'delete_post', { id }, { key: account.key })
  equal(answerOf(result).status, 'deleted')
  equal(isOkJson(await at('message').get(`/v1/posts/${id}`, { key: account.key })).status, 'deleted')
})

// Labels ------------------------------------------------------------------------------------------------
const labelled = {
  browse_posts: () => ({ limit: 5 }),
  get_post: (post) => ({ id: post.id }),
  search_posts: () => ({ q: 'tram' }),
}
for (const [name, args] of Object.entries(labelled))
  test(`label-${name.replace('_', '-')}: spec 8 and standards 9: ${name} labels user text in the body, the result's _meta and each text block's _meta`, async () => {
    const post = await published.message()
    const account = await rich()
    const stranger = name === 'search_posts' ? account.key : undefined
    isLabelled(await callTool('message', name, args(post), { key: stranger }), name)
  })
test('label-legacy: standards 9: the labels are there in the 2025 era too', async () => {
  const post = await published.message()
  isLabelled(await callTool('message', 'get_post', { id: post.id }, { era: legacy }), 'get_post')
})
test('no-user-text-in-definitions: standards 9: user text never stands in a tool definition, in instructions or in an error', async () => {
  const post = await published.message()
  const word = wordOf(post.body.text)
  for (const method of ['tools/list', 'server/discover', 'resources/list'])
    excludes((await modern('message', method)).reply.text, word, method)
})

// Resources ---------------------------------------------------------------------------------------------
const resources = fixture('the resources of /mcp', async () => {
  const lists = {}
  for (const kind of kinds) lists[kind] = (await modern(kind, 'resources/list')).result?.resources ?? []
  return lists
})
test('resources: decisions 13: the resources are the policy, the prices and the problem catalog', async () => {
  const lists = await resources()
  for (const kind of kinds)
    for (const pattern of [/polic/i, /pric|plan/i, /problem|error/i])
      holds(
        lists[kind].some((resource) => pattern.test(`${resource.uri} ${resource.name}`)),
        `resources of the ${kind} site`,
        String(pattern),
        lists[kind].map(({ uri }) => uri),
      )
})
test('policy-resource: spec 7: the policy is also an MCP resource', async () => {
  const lists = await resources()
  for (const kind of kinds) {
    const { uri } = lists[kind].find((resource) => /polic/i.test(`${resource.uri} ${resource.name}`)) ?? {}
    isString(uri, 'uri of the policy')
    const { reply, result } = await modern(kind, 'resources/read', { uri })
    hasStatus(reply, 200)
    isArray(result?.contents)
    equal(result.resultType, 'complete')
    const policy = (await at(kind).get('/v1/policy')).json
    const version = String(policy.version)
    includes(result.contents[0].text, version, 'policy resource')
  }
})
test('policy-resource-legacy: spec 7: the policy is an MCP resource in the 2025 era too', async () => {
  const lists = await resources()
  const { uri } = lists['message'].find((resource) => /polic/i.test(`${resource.uri} ${resource.name}`)) ?? {}
  const { result } = await legacy('message', 'resources/read', { uri })
  isString(result?.contents?.[0]?.text, 'text of the policy')
})
test('unknown-resource: standards 5.2: a resource that does not exist is -32602', async () => {
  const { error } = await modern('message', 'resources/read', { uri: 'nothing://here' })
  equal(error?.code, -32602)
})

// Keys --------------------------------------------------------------------------------------------------
for (const [name, args] of Object.entries(needKey))
  test(`missing-key-${name.replaceAll('_', '-')}: decisions 13: ${name} without a key answers in-band (isError, code missing_api_key), HTTP 200`, async () => {
    isToolError(await callTool('message', name, args), 'missing_api_key')
  })
test('wrong-key-modern: decisions 13: a wrong key is 401, with WWW-Authenticate: Bearer', async () => {
  for (const method of ['tools/list', 'server/discover']) {
    const { reply } = await modern('message', method, {}, { key: wrongKey })
    hasStatus(reply, 401)
    match(reply.headers['www-authenticate'], /^Bearer\b/)
  }
})
test('wrong-key-legacy: decisions 13: a wrong key is 401 in the 2025 era too', async () => {
  hasStatus((await initialize('message', { key: wrongKey })).reply, 401)
  hasStatus((await legacy('message', 'tools/list', {}, { key: wrongKey })).reply, 401)
})
test('same-key: spec Authentication 2: the MCP server takes the same key as a bearer token', async () => {
  const account = await rich()
  for (const kind of kinds)
    equal(answerOf(await callTool(kind, 'get_account', {}, { key: account.key })).id, account.id)
})

// Search is metered here as it is over HTTP -----------------------------------------------------------
const remaining = (reply) => parseRateLimit(reply.headers.ratelimit, 'ratelimit')[0].r
const overHttp = (options) => at('message').get('/v1/search', { query: { q: 'tram' }, ...options })
test('search-counts: spec Limits: the 100 of a key are counted across HTTP and the MCP search_posts tool', async () => {
  notNearMidnight(30)
  const { key } = await freshAccount()
  const before = remaining(await overHttp({ key }))
  for (const kind of ['message', 'event']) await callTool(kind, 'search_posts', { q: 'tram' }, { key })
  equal(remaining(await overHttp({ key })), before - 3, 'r after two searches over MCP and one more')
})
test('search-402: spec Limits: past the 100 an empty balance is insufficient_balance in-band, with the link', async () => {
  notNearMidnight(60)
  const { key } = await freshAccount()
  for (let batch = 0; batch < 10; batch++) await Promise.all(Array.from({ length: 10 }, () => overHttp({ key })))
  const result = await callTool('message', 'search_posts', { q: 'tram', max_charge_micros: 1_000 }, { key })
  isToolError(result, 'insufficient_balance')
  match(JSON.stringify(result), /\/o\/[A-Za-z0-9_-]{43}/, 'owner link in the result')
})
test("search-keyless-shares: spec Limits: keyless MCP searches share the address's 20, and past them are refused in-band", async () => {
  notNearMidnight(60)
  const from = await freshAddress()
  if (!from) skip('this machine has one address, whose allowance the search section needs')
  const before = remaining(await overHttp({ from }))
  const result = await callTool('message', 'search_posts', { q: 'tram' }, { from })
  holds(result.isError !== true, 'search_posts without a key', 'a result', show(result))
  equal(remaining(await overHttp({ from })), before - 2, 'r after a search over MCP and one more')
  for (let time = 0; time < 20; time++) await overHttp({ from })
  isToolError(await callTool('message', 'search_posts', { q: 'tram' }, { from }), 'search_allowance_exhausted')
})

// The wire ----------------------------------------------------------------------------------------------
test('origin-foreign: standards 5.2: a foreign Origin is 403', async () => {
  for (const origin of ['https://evil.example', 'http://localhost.evil.example', 'null']) {
    hasStatus((await modern('message', 'tools/list', {}, { headers: { origin } })).reply, 403)
    hasStatus((await legacy('message', 'tools/list', {}, { headers: { origin } })).reply, 403)
  }
})
test('origin-own: standards 5.2: no Origin, and the own one, pass', async () => {
  for (const kind of kinds)
    hasStatus((await modern(kind, 'tools/list', {}, { headers: { origin: sites[kind] } })).reply, 200)
})
test('get-405: standards 5.2: GET and DELETE are 405 with Allow: POST', async () => {
  for (const method of ['GET', 'DELETE']) {
    const reply = await request(method, `${sites.message}/mcp`, { headers: { accept: 'text/event-stream' } })
    hasStatus(reply, 405)
    match(reply.headers.allow, /\bPOST\b/)
  }
})
test('unknown-method: standards 5.2: an unknown method is 404 with -32601', async () => {
  const { reply, error } = await modern('message', 'posts/explode')
  hasStatus(reply, 404)
  equal(error?.code, -32601)
})
test('unknown-tool: standards 5.2: an unknown tool is -32602', async () => {
  const { reply, error } = await modern('message', 'tools/call', { name: 'explode', arguments: {} })
  hasStatus(reply, 200)
  equal(error?.code, -32602)
})
test('header-mismatch: standards 5.2: Mcp-Method that differs from the body, or is missing, is 400 with -32020', async () => {
  for (const headers of [{ 'mcp-method': 'resources/list' }, { 'mcp-method': undefined }]) {
    const { reply, error } = await modern('message', 'tools/list', {}, { headers })
    hasStatus(reply, 400)
    equal(error?.code, -32020)
  }
})
test('name-mismatch: standards 5.2: Mcp-Name that differs from the body is 400 with -32020', async () => {
  const { reply, error } = await modern(
    'message',
    'tools/call',
    { name: 'get_status', arguments: {} },
    { headers: { 'mcp-name': 'get_pricing' } },
  )
  hasStatus(reply, 400)
  equal(error?.code, -32020)
})
test('unsupported-version: standards 5.2: an unknown revision is 400 with -32022 and the supported ones', async () => {
  const { reply, error } = await modern(
    'message',
    'tools/list',
    {},
    {
      headers: { 'mcp-protocol-version': '2099-01-01' },
      meta: { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' },
    },
  )
  hasStatus(reply, 400)
  equal(error?.code, -32022)
  holds(error.data?.supported?.includes(modernRevision), 'data.supported', modernRevision, error.data)
})
test('missing-meta: standards 5.2: _meta without its required keys is 400 with -32602', async () => {
  const { reply, error } = await modern(
    'message',
    'tools/list',
    {},
    { meta: { 'io.modelcontextprotocol/clientCapabilities': undefined } },
  )
  hasStatus(reply, 400)
  equal(error?.code, -32602)
})
test('not-json: standards 5.2: a body that is no JSON is 400', async () => {
  hasStatus((await modern('message', 'tools/list', {}, { body: '{"jsonrpc":' })).reply, 400)
})
test('wrong-content-type: standards 5.2: another content type is 415', async () => {
  hasStatus((await modern('message', 'tools/list', {}, { headers: { 'content-type': 'text/plain' } })).reply, 415)
})
test('large-body: decisions 10: a body far over 256 KiB is refused', async () => {
  const { reply } = await modern('message', 'tools/call', {
    name: 'check_message',
    arguments: { text: 'a'.repeat(400_000) },
  })
  oneOf(reply.status, [400, 413])
})
test('no-tool-crash: decisions 10: hostile arguments are a tool error, never 5xx', async () => {
  const account = await rich()
  for (const args of [
    {},
    { text: null },
    { text: ['a'] },
    { text: '\u0000' },
    { __proto__: null, constructor: 1 },
    { text: 'x', location: 'y' },
  ]) {
    const { reply } = await modern(
      'message',
      'tools/call',
      { name: 'check_message', arguments: args },
      { key: account.key },
    )
    holds(reply.status < 500, `check_message ${show(args)}`, 'a status below 500', reply.toString())
  }
})

// 2025-11-25 --------------------------------------------------------------------------------------------
test('legacy-initialize: decisions 13: the endpoint serves 2025-11-25: initialize', async () => {
  for (const kind of kinds) {
    const { reply, result } = await initialize(kind)
    hasStatus(reply, 200)
    equal(result?.protocolVersion, legacyRevision)
    isString(result.serverInfo?.name)
    isObject(result.capabilities?.tools)
    match(result.instructions, /untrusted/i)
  }
})
test('legacy-stateless: decisions 13: the endpoint is stateless: no session is handed out or needed', async () => {
  const { reply } = await initialize('message')
  holds(!('mcp-session-id' in reply.headers), 'mcp-session-id', 'absent', reply.headers['mcp-session-id'])
  hasStatus((await legacy('message', 'tools/list')).reply, 200)
})
test('legacy-notification: standards 5.2: a notification is accepted with 202', async () => {
  hasStatus((await legacy('message', 'notifications/initialized', {}, { notification: true })).reply, 202)
})
test('legacy-ping: standards 5.6: ping is answered', async () => {
  const { result } = await legacy('message', 'ping')
  isObject(result, 'result of ping')
})
test('legacy-tools: decisions 13: both eras list the same tools', async () => {
  for (const kind of kinds) {
    const { result } = await legacy(kind, 'tools/list')
    equal(
      result?.tools
        .map(({ name }) => name)
        .toSorted()
        .join(),
      [...(await toolsOf(kind)).keys()].toSorted().join(),
    )
  }
})
test('legacy-check: spec Endpoints 7: check_message in the 2025 era', async () => {
  const account = await rich()
  const result = await callTool('message', 'check_message', { text: messageText() }, { era: legacy, key: account.key })
  equal(answerOf(result).dry_run, true)
})
test('legacy-search: spec Endpoints 7: search_posts in the 2025 era', async () => {
  const account = await rich()
  await published.message()
  const result = await callTool('message', 'search_posts', { q: 'tram' }, { era: legacy, key: account.key })
  isArray(answerOf(result).data)
})
test('legacy-missing-key: decisions 13: a missing key is answered in-band in the 2025 era', async () => {
  isToolError(await callTool('message', 'publish_message', { text: messageText() }, { era: legacy }), 'missing_api_key')
})
