import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Broadside, BroadsideError, type BroadsideOptions, ConfigurationError } from '../src/index.ts'
import { clientOf, fine, json, serve } from './misbehaving-server.ts'

const baseUrl = 'https://m.example'

/** Sets variables of the environment for one test. */
function withEnvironment(variables: Record<string, string>) {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const)
  Object.assign(process.env, variables)
  return {
    [Symbol.dispose]: () => {
      for (const [name, value] of before)
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
    },
  }
}

test('the address and the key come from the environment unless they are passed', async () => {
  await using server = await serve(fine)
  using _ = withEnvironment({ BROADSIDE_URL: server.baseUrl, BROADSIDE_API_KEY: 'bsk_environment' })
  await new Broadside().getStatus()
  await new Broadside({ apiKey: 'bsk_passed' }).getStatus()
  await new Broadside({ apiKey: null }).getStatus()
  await new Broadside({ ownerToken: 'session' }).getStatus()
  assert.deepEqual(
    server.seen.map(({ headers }) => headers.authorization),
    ['Bearer bsk_environment', 'Bearer bsk_passed', undefined, 'Bearer session'],
  )
})

test('a missing or wrong address is named, and never repeated', () => {
  using _ = withEnvironment({ BROADSIDE_URL: '' })
  const cases: [BroadsideOptions | undefined, RegExp][] = [
    [undefined, /^Broadside needs the address of a site: pass baseUrl or set BROADSIDE_URL\.$/],
    [{ baseUrl: '' }, /needs the address of a site/],
    [{ baseUrl: 'messages.example' }, /^baseUrl is not a URL\. Pass an address such as https:/],
    [{ baseUrl: 'ftp://m.example' }, /must start with https:\/\/ or http:\/\//],
    [{ baseUrl: 'https://m.example/?a=b' }, /without user, query or fragment/],
    [{ baseUrl: 'https://secret@m.example/' }, /without user, query or fragment/],
    [{ baseUrl: 'https://m.example/v1/' }, /without \/v1/],
  ]
  for (const [options, expected] of cases)
    assert.throws(
      () => new Broadside(options),
      (error) =>
        error instanceof ConfigurationError && expected.test(error.message) && !/secret|ftp:/.test(error.message),
    )
})

test('something that is not an API key is refused with what is wrong with it', () => {
  const cases = {
    '': /empty/,
    '"bsk_abc"': /quotation marks/,
    "'bsk_abc'": /quotation marks/,
    'bsk_abc\n': /space or a line break/,
    ' bsk_abc': /space or a line break/,
    whsec_c2VjcmV0: /secret of a webhook/,
    'Bearer bsk_abc': /space/,
    bsa_abc: /not an API key/,
    'bsk_…': /not an API key/,
  }
  for (const [apiKey, expected] of Object.entries(cases))
    assert.throws(
      () => new Broadside({ baseUrl, apiKey }),
      (error) =>
        error instanceof BroadsideError &&
        expected.test(error.message) &&
        error.message.endsWith('An API key starts with bsk_.') &&
        !error.message.includes('abc'),
      apiKey,
    )
})

test('a token that cannot be a header is refused, and never repeated', () => {
  for (const ownerToken of ['', 'a secret', 'secret\n', 'secreté'])
    assert.throws(
      () => new Broadside({ baseUrl, ownerToken }),
      (error) => error instanceof ConfigurationError && !error.message.includes('secret'),
    )
})

test('numbers that are not valid are refused by name', () => {
  const wrong: BroadsideOptions[] = [
    ...[0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31].map((timeoutMs) => ({ timeoutMs })),
    ...[-1, Number.NaN, 2 ** 31].map((maxRetryWaitMs) => ({ maxRetryWaitMs })),
    ...[-1, 1.5, Number.POSITIVE_INFINITY].map((maxRetries) => ({ maxRetries })),
  ]
  for (const options of wrong)
    assert.throws(
      () => new Broadside({ baseUrl, ...options }),
      (error) =>
        error instanceof ConfigurationError &&
        error instanceof BroadsideError &&
        error.message.startsWith(`${Object.keys(options)[0]} must be`),
    )
})

test('an idempotency key that cannot be a header is refused before anything is sent', async () => {
  await using server = await serve(fine)
  for (const idempotencyKey of ['', 'clé', 'a\nb'])
    await assert.rejects(clientOf(server).submitPost({ text: 'a' }, {}, { idempotencyKey }), ConfigurationError)
  assert.equal(server.seen.length, 0)
})

test('an address can be a URL, and undefined options are the defaults', async () => {
  await using server = await serve(json(200, {}))
  await new Broadside({ baseUrl: new URL(server.baseUrl), apiKey: 'bsk_a', timeoutMs: undefined }).getAccount()
  await clientOf(server).getAccount()
  assert.deepEqual(
    server.seen.map(({ url }) => url),
    ['/v1/account', '/v1/account'],
  )
})
