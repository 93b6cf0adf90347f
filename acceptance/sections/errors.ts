// Errors: spec "Errors"; decisions 10. Only what needs no post, webhook, search or page: the rest is with its feature.
import { freshEmail, marker } from '../accounts.ts'
import { equal, excludes, hasStatus, holds, isInvalid, isProblem, isString, match, noMatch, oneOf } from '../assert.ts'
import { type Json, section, show } from '../checks.ts'
import { other } from '../fixtures.ts'
import { at, type RequestOptions } from '../http.ts'
import { kinds, sites } from '../targets.ts'

const test = section('errors')

const wrongKey = `bsk_${'A'.repeat(49)}`
const create = (body: Json, options?: RequestOptions) => at('message').post('/v1/accounts', body, options)
const valid = (extra?: Json) => ({ name: 'Acceptance', email: freshEmail(), accept_terms: true, ...extra })

test('problem-document: spec Errors 1: problem+json with type, title, status, detail, code, and the older error object with code and message', async () => {
  isProblem(await at('message').get('/v1/account'), 401, 'missing_api_key')
})
test('problem-type-on-each-site: decisions 10: type is {base_url}/problems/{code} of the site that was called', async () => {
  for (const kind of kinds) isProblem(await at(kind).get('/v1/account'), 401, 'missing_api_key', { base: sites[kind] })
})
test('problem-instance-differs: decisions 10: instance is the request id, another one for each request', async () => {
  const [first, second] = [await at('message').get('/v1/account'), await at('message').get('/v1/account')].map(
    (reply) => reply.json.instance,
  )
  isString(first, 'instance')
  holds(first !== second, 'instance of two requests', 'two values', first)
})
test('problem-whatever-is-accepted: standards 2: an error is problem+json even when Accept does not list it', async () => {
  isProblem(await at('message').get('/v1/account', { headers: { accept: 'application/json' } }), 401, 'missing_api_key')
})
test('problem-leaks-nothing: style: detail is for the caller; no stack, query or file name in it', async () => {
  for (const reply of [
    await at('message').get('/v1/nothing'),
    await create('{'),
    await create(valid({ email: "a@b.example'; drop table accounts; --" })),
  ])
    noMatch(reply.text, /node_modules|\bat .+:\d+:\d+|\.ts:\d+|select .+ from|ECONN|postgres/i)
})
test('problem-does-not-echo: standards 9: what a caller wrote is never repeated in detail', async () => {
  const word = marker()
  const reply = await create(valid({ name: `${word} `.repeat(20) }))
  isInvalid(reply, '/name')
  excludes(reply.text, word, 'problem document')
})

// 401 ------------------------------------------------------------------------------------------
for (const [method, body] of [['GET'], ['PATCH', { auto_recharge: { enabled: false } }], ['DELETE']] as Json[][])
  test(`401-missing-${method.toLowerCase()}-account: spec Endpoints: ${method} /v1/account requires a key; decisions 10: 401 missing_api_key with WWW-Authenticate: Bearer`, async () => {
    const reply = await at('message').send(method, '/v1/account', { body })
    isProblem(reply, 401, 'missing_api_key')
    match(reply.headers['www-authenticate'], /^Bearer\b/)
  })
test('401-wrong-key-status: decisions 10: a key that is sent but wrong is always 401 (GET /v1/status)', async () => {
  const reply = await at('message').get('/v1/status', { key: wrongKey })
  isProblem(reply, 401, 'invalid_api_key')
  match(reply.headers['www-authenticate'], /^Bearer\b/)
})
test('401-wrong-key-required: decisions 10: a wrong key where one is required is 401 invalid_api_key with WWW-Authenticate: Bearer', async () => {
  const reply = await at('message').get('/v1/account', { key: wrongKey })
  isProblem(reply, 401, 'invalid_api_key')
  match(reply.headers['www-authenticate'], /^Bearer\b/)
})
test('401-mistyped-key: decisions 1: a mistyped key is refused', async () => {
  const account = await other()
  const letters = [...account.key]
  letters[20] = letters[20] === 'a' ? 'b' : 'a'
  isProblem(await at('message').get('/v1/account', { key: letters.join('') }), 401, 'invalid_api_key')
})
test('401-other-schemes: spec Authentication 1: only the Bearer scheme carries a key', async () => {
  const account = await other()
  for (const authorization of [
    `Basic ${Buffer.from(`${account.key}:`).toString('base64')}`,
    account.key,
    `Token ${account.key}`,
    'Bearer',
    'Bearer  ',
  ]) {
    const reply = await at('message').get('/v1/account', { headers: { authorization } })
    isProblem(reply, 401)
    oneOf(reply.json.code, ['missing_api_key', 'invalid_api_key'], `code for ${show(authorization)}`)
  }
})
test('401-not-in-the-query: spec Authentication 1: a key in the query is no key', async () => {
  const account = await other()
  isProblem(await at('message').get('/v1/account', { query: { api_key: account.key } }), 401, 'missing_api_key')
})
test('401-hostile-keys: decisions 10: anything sent as a key that is none is 401, never 5xx', async () => {
  for (const key of [
    "' or 1=1 --",
    'bsk_',
    'x'.repeat(4000),
    `bsk_${'0'.repeat(48)}`,
    `bsk_${'0'.repeat(50)}`,
    'whsec_AAAA',
    '..%2f..',
  ])
    isProblem(await at('message').get('/v1/account', { key }), 401, 'invalid_api_key')
})

// 404, 405, 406 --------------------------------------------------------------------------------
test('404-unknown-path: decisions 10: an unknown path under /v1 is 404 not_found', async () => {
  isProblem(await at('message').get('/v1/nothing-here'), 404, 'not_found')
  isProblem(await at('story').post('/v1/nothing-here', {}), 404, 'not_found')
})
test('404-unknown-version: spec Versioning 1: only /v1/ is served; /v2/posts is 404', async () => {
  hasStatus(await at('message').get('/v2/posts'), 404)
})
test('405: decisions 10: a method that a path does not have is 405 method_not_allowed with Allow', async () => {
  const account = await other()
  for (const [method, path, allowed] of [
    ['PUT', '/v1/accounts', /POST/],
    ['DELETE', '/v1/status', /GET/],
    ['PUT', '/v1/account', /PATCH/],
    ['POST', '/v1/account', /DELETE/],
  ] as Json[][]) {
    const reply = await at('message').send(method, path, {
      key: account.key,
      body: method === 'DELETE' ? undefined : {},
    })
    isProblem(reply, 405, 'method_not_allowed')
    match(reply.headers.allow, allowed, `allow of ${method} ${path}`)
  }
})
test('406: decisions 10: an Accept that the API cannot satisfy is 406 not_acceptable', async () => {
  isProblem(await at('message').get('/v1/status', { headers: { accept: 'application/xml' } }), 406, 'not_acceptable')
})
test('accept-json-and-any: decisions 10: application/json, */* and no Accept at all are served', async () => {
  for (const accept of ['application/json', '*/*', 'application/*', 'text/html, application/json;q=0.9', undefined])
    hasStatus(await at('message').get('/v1/status', { headers: { accept } }), 200)
})

// 400, 413, 415, 421, 422 ----------------------------------------------------------------------
for (const [id, body] of [
  ['cut-short', '{"name":'],
  ['trailing-comma', '{"name":"a",}'],
  ['single-quotes', "{'name':'a'}"],
  ['not-json', 'name=a&email=b'],
  ['invalid-utf8', Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d])],
  ['two-documents', '{}{}'],
])
  test(`400-malformed-${id}: decisions 10: a body that is no JSON is 400 malformed_json (${id})`, async () => {
    isProblem(await at('message').post('/v1/accounts', body), 400, 'malformed_json')
  })
test('400-empty-body: decisions 10: an empty body where one is needed is refused', async () => {
  // Whether nothing is malformed JSON or a missing object is open.
  const reply = await at('message').post('/v1/accounts', '')
  oneOf(reply.status, [400, 422])
  isProblem(reply, reply.status)
  oneOf(reply.json.code, ['malformed_json', 'validation_failed', 'terms_not_accepted'])
})
for (const [id, body] of [
  ['array', '[]'],
  ['string', '"text"'],
  ['number', '1'],
  ['null', 'null'],
])
  test(`422-body-${id}: decisions 10: JSON that is no object is 422 validation_failed (${body})`, async () => {
    const account = await other()
    isProblem(await at('message').patch('/v1/account', body, { key: account.key }), 422, 'validation_failed')
  })
test('422-errors-have-pointers: decisions 10: errors is [{pointer, detail}], one entry for each fault', async () => {
  const reply = await create({ name: '', email: 'nobody', accept_terms: true, colour: 'red' })
  for (const pointer of ['/name', '/email', '/colour']) isInvalid(reply, pointer)
})
test('413: decisions 10: a body over 256 KiB is 413 body_too_large', async () => {
  isProblem(
    await at('message').post('/v1/accounts', JSON.stringify({ name: 'n'.repeat(300_000) })),
    413,
    'body_too_large',
  )
})
test('413-boundary: decisions 10: a body of exactly 262,144 bytes is read, one byte more is not', async () => {
  const sized = (bytes) => `{"name":"${'n'.repeat(bytes - '{"name":""}'.length)}"}`
  equal(sized(262_144).length, 262_144, 'the check itself')
  isProblem(await at('message').post('/v1/accounts', sized(262_144)), 422)
  isProblem(await at('message').post('/v1/accounts', sized(262_145)), 413, 'body_too_large')
})
for (const type of 'text/plain|application/x-www-form-urlencoded|multipart/form-data; boundary=x|application/xml'.split(
  '|',
))
  test(`415-${type.split(/[/;]/)[1]}: spec Endpoints: all bodies are application/json; decisions 10: ${type} is 415 unsupported_media_type`, async () => {
    isProblem(
      await at('message').post('/v1/accounts', '{}', { headers: { 'content-type': type } }),
      415,
      'unsupported_media_type',
    )
  })
test('415-charset-is-fine: spec Endpoints: application/json; charset=utf-8 is application/json', async () => {
  isProblem(
    await at('message').post('/v1/accounts', '{}', { headers: { 'content-type': 'application/json; charset=utf-8' } }),
    422,
  )
})
test('421: decisions 2: a Host that is not configured answers 421 unknown_site', async () => {
  const reply = await at('message').get('/v1/status', { headers: { host: 'nowhere.example' } })
  hasStatus(reply, 421)
  equal(reply.mediaType, 'application/problem+json', 'content type')
  equal(reply.json.code, 'unknown_site')
})

// Never 5xx ------------------------------------------------------------------------------------
test('no-5xx-paths: decisions 10: hostile paths are answered below 500', async () => {
  for (const path of [
    '/v1/%00',
    '/v1/%zz',
    '/v1/%C0%80',
    '/v1/%2e%2e/%2e%2e/etc/passwd',
    '//v1//status',
    `/v1/status?x=${'a'.repeat(6000)}`,
    '/v1/status?x[]=1&x[]=2',
    '/v1/__proto__',
    '/v1/constructor',
  ])
    for (const kind of kinds) {
      const reply = await at(kind).get(path)
      holds(reply.status < 500, `GET ${path} on the ${kind} site`, 'a status below 500', reply.toString())
    }
})
test('no-5xx-bodies: decisions 10: hostile bodies are answered with 4xx', async () => {
  for (const body of [
    '{"__proto__":{"name":"a"}}',
    '{"constructor":{"prototype":{}}}',
    `{"name":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
    '{"name":"\\ud800","email":"a@example.com"}',
    '{"name":1e999}',
    '{"":""}',
    '{"accept_terms":{"$ne":false}}',
  ]) {
    const reply = await create(body)
    holds(
      reply.status >= 400 && reply.status < 500,
      `POST ${body.slice(0, 40)}`,
      'a status from 400 to 499',
      reply.toString(),
    )
    equal(reply.mediaType, 'application/problem+json', `content type for ${body.slice(0, 40)}`)
  }
})
test("no-5xx-null-character: decisions 14: the account's name obeys the character rules of posts: U+0000 in it is 422", async () => {
  isInvalid(await create(valid({ name: 'a\u0000b' })), '/name')
})

// The order of refusals (decisions 14): each request has two faults or more, and the earlier one is named -----------------
const posting = (method: string, body: Json, headers?: Json) =>
  at('message').send(method, '/v1/posts', { body, headers })
const tooLarge = JSON.stringify({ text: 'n'.repeat(300_000) })
for (const [id, rule, status, code, send] of [
  [
    'host-before-route',
    'an unknown host comes before an unknown route',
    421,
    'unknown_site',
    () => at('message').get('/v1/nothing-here', { headers: { host: 'nowhere.example' } }),
  ],
  [
    'route-before-key',
    'an unknown route comes before a missing key, a wrong media type and a wrong key',
    404,
    'not_found',
    () =>
      at('message').send('POST', '/v1/nothing-here', {
        body: '{',
        key: wrongKey,
        headers: { 'content-type': 'text/plain' },
      }),
  ],
  [
    'method-before-size',
    'a wrong method comes before the size and the key',
    405,
    'method_not_allowed',
    () => posting('PUT', tooLarge),
  ],
  [
    'size-before-media-type',
    'the size comes before the media type and the key',
    413,
    'body_too_large',
    () => posting('POST', tooLarge, { 'content-type': 'text/plain' }),
  ],
  [
    'media-type-before-key',
    'the media type comes before the key',
    415,
    'unsupported_media_type',
    () => posting('POST', '{', { 'content-type': 'text/plain' }),
  ],
  ['key-before-json', 'the key comes before the JSON', 401, 'missing_api_key', () => posting('POST', '{"text":')],
  [
    'key-before-validation',
    'the key comes before validation',
    401,
    'missing_api_key',
    () => posting('POST', { colour: 'red' }),
  ],
] as Json[][])
  test(`order-${id}: decisions 14, order of refusals: ${rule}`, async () => {
    const reply = await send()
    // The problem of an unknown host has no site to name its type by, so only status and code are asked for.
    hasStatus(reply, status)
    equal(reply.json.code, code)
  })
test('order-validation-before-balance: decisions 14, order of refusals: validation comes before the balance', async () => {
  const account = await other()
  isInvalid(await at('message').post('/v1/posts', { text: '' }, { key: account.key }), '/text')
})
test('no-owner-link-without-need: spec Errors 2: account_url and for_human come only when the owner is needed', async () => {
  const account = await other()
  isProblem(
    await at('message').patch('/v1/account', { colour: 'red' }, { key: account.key }),
    422,
    'validation_failed',
    { owner: false },
  )
})
test('head-and-options-are-safe: decisions 10: HEAD and OPTIONS on the API are answered below 500', async () => {
  for (const method of ['HEAD', 'OPTIONS'])
    for (const path of ['/v1/status', '/v1/account', '/v1/accounts'])
      holds((await at('message').send(method, path)).status < 500, `${method} ${path}`, 'below 500', '5xx')
})
