import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { readSettings, SettingsError, settings } from './settings.ts'

test('all missing and invalid settings are listed in one message', () => {
  assert.throws(
    () =>
      readSettings({ API_PORT: 'ninety', SITES: 'nonsense' }, [
        'BROADSIDE_ENVIRONMENT',
        'API_PORT',
        'SITES',
        'LOG_LEVEL',
      ]),
    (error: Error) =>
      error instanceof SettingsError &&
      /BROADSIDE_ENVIRONMENT: missing/.test(error.message) &&
      /API_PORT: invalid/.test(error.message) &&
      /SITES: invalid/.test(error.message) &&
      !/LOG_LEVEL/.test(error.message) &&
      !/ninety/.test(error.message),
  )
})

const inTest = { BROADSIDE_ENVIRONMENT: 'test' }

test('sites are read as a map from kind to origin', () => {
  const { SITES } = readSettings({ ...inTest, SITES: 'message=http://localhost:4001 story=https://stories.example' }, [
    'SITES',
  ])
  assert.deepEqual(SITES, { message: 'http://localhost:4001', story: 'https://stories.example' })
})

test('an origin has no trailing slash or path, which would end up in every link', () => {
  const read = (url: string) =>
    readSettings({ ...inTest, ACCOUNT_PAGE_URL: url }, ['ACCOUNT_PAGE_URL']).ACCOUNT_PAGE_URL
  assert.equal(read('http://localhost:4000'), 'http://localhost:4000')
  for (const url of [
    'https://account.example/',
    'https://account.example/owner',
    'account.example',
    'mailto:a@b.example',
  ])
    assert.throws(() => read(url), SettingsError, url)
})

test('the model’s URL has no trailing slash, query or credentials', () => {
  const read = (url: string) => readSettings({ MODEL_URL: url }, ['MODEL_URL']).MODEL_URL
  for (const url of ['http://127.0.0.1:4301', 'https://models.example/team']) assert.equal(read(url), url)
  for (const url of [
    'http://127.0.0.1:4301/',
    'https://models.example?a=b',
    'https://a:b@models.example',
    'ftp://m.example',
  ])
    assert.throws(() => read(url), SettingsError, url)
})

const newKey = () => randomBytes(32).toString('base64')

test('secret keys are read in order and hidden when printed', () => {
  const [first, second] = [newKey(), newKey()]
  const read = readSettings({ SECRETS_KEYS: `2026-11:${first}  2026-05:${second}` }, ['SECRETS_KEYS'])
  assert.deepEqual(
    read.SECRETS_KEYS.map(({ id, key }) => [id, key.export().toString('base64')]),
    [
      ['2026-11', first],
      ['2026-05', second],
    ],
  )
  const printed = inspect(read, { depth: Infinity, showHidden: true }) + JSON.stringify(read)
  for (const key of [first, second])
    for (const form of ['base64', 'hex', 'latin1'] as const)
      assert.ok(!printed.includes(Buffer.from(key, 'base64').toString(form)))
})

test('a secret key has exactly 32 bytes and a unique name, and an error does not quote a wrong one', () => {
  const key = newKey()
  const wrong = [
    key,
    `:${key}`,
    `Upper:${key}`,
    `${'a'.repeat(33)}:${key}`,
    `one:${randomBytes(31).toString('base64')}`,
    `one:${randomBytes(33).toString('base64')}`,
    `one:${randomBytes(32).toString('hex')}`,
    `one:${key.slice(0, -1)}`,
    `one:${key} one:${newKey()}`,
    `one:${key} two:${key}`,
    `one:${key} two:`,
    ' ',
  ]
  for (const value of wrong)
    assert.throws(
      () => readSettings({ SECRETS_KEYS: value }, ['SECRETS_KEYS']),
      (error) => error instanceof SettingsError && !inspect(error, { depth: Infinity }).includes(key.slice(0, 20)),
    )
  assert.throws(() => readSettings({}, ['SECRETS_KEYS']), /SECRETS_KEYS: missing\..*openssl rand -base64 32/)
})

test('a secret for the gateway or the desk is long, can have an older one beside it, and is hidden when printed', () => {
  const [first, second] = [newKey(), newKey()]
  const read = (GATEWAY_SECRET: string) => readSettings({ GATEWAY_SECRET }, ['GATEWAY_SECRET'])
  const both = read(`${first},${second}`)
  assert.deepEqual(
    both.GATEWAY_SECRET.map((key) => key.export().toString()),
    [first, second],
  )
  assert.ok(!(inspect(both, { depth: Infinity, showHidden: true }) + JSON.stringify(both)).includes(first))
  const wrong = [
    '',
    first.slice(0, 31),
    `${first} ${first}`,
    `${first} ${second} ${newKey()}`,
    `${first}';`,
    `$${first}`,
  ]
  for (const value of wrong)
    assert.throws(
      () => read(value),
      (error) => error instanceof SettingsError && !inspect(error, { depth: Infinity }).includes(first.slice(0, 20)),
    )
  assert.equal(readSettings({ DESK_SECRET: `${first} ${second}` }, ['DESK_SECRET']).DESK_SECRET.length, 2)
  assert.throws(() => readSettings({}, ['DESK_SECRET']), /DESK_SECRET: missing\..*openssl rand -base64 32/)
})

test('address ranges are addresses with a valid prefix length', () => {
  const read = (ranges: string) => readSettings({ OUTBOUND_REFUSED_RANGES: ranges }, ['OUTBOUND_REFUSED_RANGES'])
  assert.deepEqual(read('192.0.2.0/24, 198.51.100.7 2001:db8::/32').OUTBOUND_REFUSED_RANGES, [
    '192.0.2.0/24',
    '198.51.100.7',
    '2001:db8::/32',
  ])
  assert.equal(read('').OUTBOUND_REFUSED_RANGES, undefined)
  for (const range of ['192.0.2.0/33', '2001:db8::/129', '192.0.2', 'abc', '192.0.2.0/24/8', 'host.example', ','])
    assert.throws(() => read(range), SettingsError, range)
})

test('name servers are addresses, optionally with a port', () => {
  const read = (servers: string) => readSettings({ OUTBOUND_DNS_SERVERS: servers }, ['OUTBOUND_DNS_SERVERS'])
  const servers = ['192.0.2.53', '192.0.2.53:5353', '2001:db8::53', '[2001:db8::53]:5353']
  assert.deepEqual(read(servers.join(' ')).OUTBOUND_DNS_SERVERS, servers)
  for (const server of ['192.0.2.53:0', '192.0.2.53:65536', '[192.0.2.53]:53', '[2001:db8::53]', 'dns.example', ':53'])
    assert.throws(() => read(server), SettingsError, server)
})

test('test settings are rejected in production and without an environment', () => {
  const read = (environment: NodeJS.ProcessEnv) =>
    readSettings({ OUTBOUND_TEST_RANGES: '127.0.0.0/8', ...environment }, ['OUTBOUND_TEST_RANGES'])
  for (const name of ['development', 'test'])
    assert.deepEqual(read({ BROADSIDE_ENVIRONMENT: name }).OUTBOUND_TEST_RANGES, ['127.0.0.0/8'])
  for (const environment of [{ BROADSIDE_ENVIRONMENT: 'production' }, {}])
    assert.throws(() => read(environment), /OUTBOUND_TEST_RANGES: not allowed in production\./)
  assert.deepEqual(read({ BROADSIDE_ENVIRONMENT: 'production', OUTBOUND_TEST_RANGES: '' }), {
    OUTBOUND_TEST_RANGES: undefined,
  })
})

test('production rejects values for development and tests, one by one', () => {
  const rejected = {
    SITES: 'message=https://messages.example story=http://stories.example',
    ACCOUNT_PAGE_URL: 'http://account.example',
    DESK_URL: 'http://desk.example',
    STRIPE_SECRET_KEY: `sk_test_${'0'.repeat(24)}`,
    STRIPE_API_URL: 'http://127.0.0.1:4007',
    STRIPE_CHECKOUT_ORIGIN: 'http://127.0.0.1:4007',
    ACCOUNTS_PER_ADDRESS_PER_DAY: '0',
    PAGES_DIRECTORY: '/srv/checkout/.broadside/www',
  }
  for (const [name, value] of Object.entries(rejected)) {
    const read = (environment: string) =>
      readSettings({ BROADSIDE_ENVIRONMENT: environment, [name]: value }, [name as keyof typeof rejected])
    assert.throws(() => read('production'), new RegExp(`${name}: must `), name)
    read('development')
  }
})

test('the mail server URL has no options, which could turn off certificate checks', () => {
  const read = (url: string) => readSettings({ SMTP_URL: url }, ['SMTP_URL']).SMTP_URL
  for (const url of [
    'smtp://127.0.0.1:2525',
    'smtps://user:pa%40ss@mail.example',
    'smtp://[::1]:25',
    'smtps://m.example/',
  ])
    assert.equal(read(url), url)
  for (const url of [
    'smtps://mail.example?tls.rejectUnauthorized=false',
    'smtps://mail.example/?a=b',
    'smtps://mail.example/path',
    'smtps://user:100%@mail.example',
    'smtps://user:%ff@mail.example',
    'smtp://',
    'smtp://mail.example:99999',
    'https://mail.example',
    'mail.example',
  ])
    assert.throws(() => read(url), SettingsError, url)
})

test('emails have one sender address, with or without a name', () => {
  const read = (from: string) => readSettings({ MAIL_FROM: from }, ['MAIL_FROM']).MAIL_FROM
  for (const from of ['hello@broadside.example', 'Broadside <hello@localhost>', 'Büro Nord <a.b+c@d.example>'])
    assert.equal(read(from), from)
  for (const from of [
    'Broadside',
    '<hello@broadside.example>',
    'Broadside <hello@broadside.example',
    'a@b.example, c@d.example',
    'a@b.example <c@d.example>',
    'Broadside\r\nBcc: x <hello@broadside.example>',
  ])
    assert.throws(() => read(from), SettingsError, from)
})

test('bounces go to one address without a name', () => {
  const read = (address: string) =>
    readSettings({ MAIL_BOUNCE_ADDRESS: address }, ['MAIL_BOUNCE_ADDRESS']).MAIL_BOUNCE_ADDRESS
  assert.equal(read('bounces+all@broadside.example'), 'bounces+all@broadside.example')
  assert.equal(read(''), undefined)
  for (const address of [
    'bounces',
    'a@b.example, c@d.example',
    'Bounces <a@b.example>',
    'a@b.example\r\nBcc: x@y.example',
  ])
    assert.throws(() => read(address), SettingsError, address)
})

test('every setting has a description', () => {
  for (const [name, setting] of Object.entries(settings)) assert.ok(setting.description, `${name} has no description`)
})
