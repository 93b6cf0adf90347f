import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { signEd25519 } from '../ed25519.ts'
import { keysFromSeed, readPublicKey, thumbprintOfJwk } from './jwk-keys.ts'
import { AgentRefusal, type AgentRefusalCode } from './refusal.ts'
import { readDictionary } from './structured-fields.ts'
import { verifyRequest } from './verify-request.ts'

const at = new Date(1_790_000_010_000)
const agentUrl = 'https://agent.example/.well-known/http-message-signatures-directory'
const agent = keysFromSeed(Buffer.alloc(32, 7))
const keyId = thumbprintOfJwk(agent.x)
const body = '{"text":"Hello"}'
const digestOf = (text: string) => `sha-256=:${createHash('sha256').update(text).digest('base64')}:`

type Line = [identifier: string, value: string]

/** A signature, part by part. It is made without the code under test, so that it can be wrong in any way. */
type Forged = {
  /** The signed lines, before those of the parameters. */
  lines: Line[]
  parameters: string
  agentHeader: string
  headers: Record<string, string>
  method: string
  path: string
  query: string
  body: string | null
  label: string
  /** Replaces Signature-Input or Signature. */
  input: (written: string) => string
  signature: (made: Buffer) => string
}

const honest: Forged = {
  lines: [
    ['"@method"', 'POST'],
    ['"@authority"', 'messages.example'],
    ['"@path"', '/v1/posts'],
    ['"content-digest"', digestOf(body)],
    ['"signature-agent";key="sig1"', `"${agentUrl}"`],
  ],
  parameters: `;created=1790000000;expires=1790000060;keyid="${keyId}";alg="ed25519";nonce="n1";tag="web-bot-auth"`,
  agentHeader: `sig1="${agentUrl}"`,
  headers: { 'content-digest': digestOf(body), authorization: 'Bearer secret' },
  method: 'POST',
  path: '/v1/posts',
  query: '',
  body,
  label: 'sig1',
  input: (written) => written,
  signature: (made) => `sig1=:${made.toString('base64')}:`,
}

function verify(forged: Partial<Forged>) {
  const one = { ...honest, ...forged }
  const list = `(${one.lines.map(([identifier]) => identifier).join(' ')})${one.parameters}`
  const base = [...one.lines.map((line) => line.join(': ')), `"@signature-params": ${list}`].join('\n')
  const made = signEd25519(agent.privateKey, Buffer.from(base))
  const headers = {
    ...one.headers,
    'signature-agent': one.agentHeader,
    'signature-input': one.input(`${one.label}=${list}`),
    signature: one.signature(made),
  }
  const { method, path, query } = one
  const request = { method, path, query, headers, origin: 'https://messages.example' }
  return verifyRequest(
    { ...request, body: one.body === null ? null : Buffer.from(one.body) },
    at,
    readPublicKey(agent.x) as Buffer,
  )
}

const without = (identifier: string) => honest.lines.filter(([name]) => !name.startsWith(identifier))
const read = {
  method: 'GET',
  body: null,
  headers: {},
  lines: without('"content-digest"').map((line): Line => (line[0] === '"@method"' ? ['"@method"', 'GET'] : line)),
}
const withParameters = (from: string | RegExp, to: string) => ({ parameters: honest.parameters.replace(from, to) })
const withAgent = (url: string): Partial<Forged> => ({
  agentHeader: `sig1="${url}"`,
  lines: [...without('"signature-agent"'), ['"signature-agent";key="sig1"', `"${url}"`]],
})
const wellKnown = '/.well-known/http-message-signatures-directory'

const hostileSignatures: Record<string, [AgentRefusalCode, Partial<Forged>]> = {
  'an agent over http': ['agent_url_refused', withAgent(`http://agent.example${wellKnown}`)],
  'an agent with a user name': ['agent_url_refused', withAgent(`https://bank.example@agent.example${wellKnown}`)],
  'an agent at a private address': ['agent_url_refused', withAgent(`https://10.0.0.1${wellKnown}`)],
  'an agent at a private address in decimal': ['agent_url_refused', withAgent(`https://2130706433${wellKnown}`)],
  'an agent at an IPv6 address': ['agent_url_refused', withAgent(`https://[::1]${wellKnown}`)],
  'an agent with a port': ['agent_url_refused', withAgent(`https://agent.example:8443${wellKnown}`)],
  'an agent with a query': ['agent_url_refused', withAgent(`https://agent.example${wellKnown}?keys=mine`)],
  'an agent with a fragment': ['agent_url_refused', withAgent(`https://agent.example${wellKnown}#mine`)],
  'an agent at a path where users can upload files': [
    'agent_url_refused',
    withAgent('https://agent.example/users/mallory/keys'),
  ],
  'an agent that hides its path by dots': [
    'agent_url_refused',
    withAgent(`https://agent.example/users/..${wellKnown}`),
  ],
  'an agent that is only an origin': ['agent_url_refused', withAgent('https://agent.example')],
  'an agent with a local name': ['agent_url_refused', withAgent(`https://printer.local${wellKnown}`)],
  'an agent without a domain': ['agent_url_refused', withAgent(`https://localhost${wellKnown}`)],
  'an agent with a backslash': ['agent_url_refused', withAgent(`https://agent.example\\\\.bank.example${wellKnown}`)],
  'an agent with a very long URL': ['agent_url_refused', withAgent(`https://${'a.'.repeat(300)}example${wellKnown}`)],
  'an agent as a bare string': ['malformed_header', { agentHeader: `"${agentUrl}"` }],
  'an agent as a token': ['malformed_header', { agentHeader: 'sig1=agent' }],
  'an agent with parameters': ['agent_not_covered', { agentHeader: `sig1="${agentUrl}";type=directory` }],
  'an agent that is not covered': ['agent_not_covered', { lines: without('"signature-agent"') }],
  'a covered agent that is not in the header': ['agent_not_covered', { agentHeader: `sig2="${agentUrl}"` }],
  'two covered agents': [
    'ambiguous',
    {
      agentHeader: `sig1="${agentUrl}", b="${agentUrl}"`,
      lines: [...honest.lines, ['"signature-agent";key="b"', `"${agentUrl}"`]],
    },
  ],
  'an agent that was changed after signing': [
    'wrong_signature',
    { agentHeader: `sig1="https://bank.example${wellKnown}"` },
  ],
  'a repeated agent label': ['repeated_name', { agentHeader: `sig1="${agentUrl}", sig1="${agentUrl}"` }],
  'another tag': ['no_signature', withParameters('web-bot-auth', 'other')],
  'no tag': ['no_signature', withParameters(';tag="web-bot-auth"', '')],
  'two signatures with the tag': ['ambiguous', { input: (written) => `${written}, b${written.slice(4)}` }],
  'a repeated label': ['repeated_name', { input: (written) => `${written}, ${written}` }],
  'a repeated parameter': ['repeated_name', withParameters(';nonce', ';created=1790000000;nonce')],
  'a repeated component': ['repeated_name', { lines: [...honest.lines, ['"@path"', '/v1/posts']] }],
  'no value for the label': ['no_signature', { signature: (made) => `other=:${made.toString('base64')}:` }],
  'a signature that is no byte sequence': ['malformed_header', { signature: () => 'sig1="abc"' }],
  'a signature in base64 that is not canonical': [
    'malformed_header',
    { signature: (made) => `sig1=:${made.toString('base64').replace(/.==$/, (end) => `${spareBit(end)}==`)}:` },
  ],
  'a signature that is cut': [
    'wrong_signature',
    { signature: (made) => `sig1=:${made.subarray(0, 63).toString('base64')}:` },
  ],
  'a signature whose S is too large': [
    'wrong_signature',
    { signature: (made) => `sig1=:${addOrder(made).toString('base64')}:` },
  ],
  'the algorithm of RSA': ['wrong_algorithm', withParameters('"ed25519"', '"rsa-pss-sha512"')],
  'the algorithm HMAC': ['wrong_algorithm', withParameters('"ed25519"', '"hmac-sha256"')],
  'no created': ['missing_parameter', withParameters(';created=1790000000', '')],
  'no expires': ['missing_parameter', withParameters(';expires=1790000060', '')],
  'no key id': ['missing_parameter', withParameters(/;keyid="[^"]+"/, '')],
  'created as a string': ['missing_parameter', withParameters('created=1790000000', 'created="1790000000"')],
  'created in the future': [
    'created_in_future',
    withParameters('created=1790000000;expires=1790000060', 'created=1790000050;expires=1790000090'),
  ],
  'an expired signature': [
    'expired',
    withParameters('created=1790000000;expires=1790000060', 'created=1789999900;expires=1790000010'),
  ],
  'a signature that is valid for 301 seconds': [
    'bad_lifetime',
    withParameters('expires=1790000060', 'expires=1790000301'),
  ],
  'an expiry before the creation': [
    'bad_lifetime',
    withParameters('created=1790000000;expires=1790000060', 'created=1790000030;expires=1790000020'),
  ],
  'a read that is valid for 301 seconds': [
    'bad_lifetime',
    { ...read, ...withParameters('expires=1790000060', 'expires=1790000301') },
  ],
  'no nonce': ['missing_parameter', withParameters(';nonce="n1"', '')],
  'an empty nonce': ['missing_parameter', withParameters('"n1"', '""')],
  'a nonce as a token': ['missing_parameter', withParameters('"n1"', 'n1')],
  'a key id that is a name': ['key_id_refused', withParameters(keyId, 'my-key')],
  'the test key of RFC 9421': [
    'published_test_key',
    withParameters(keyId, 'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U'),
  ],
  'the test key of RFC 8037': [
    'published_test_key',
    withParameters(keyId, 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k'),
  ],
  'a nonce that is too long': ['malformed_header', withParameters('"n1"', `"${'n'.repeat(129)}"`)],
  'no authority': ['authority_not_covered', { lines: without('"@authority"') }],
  'the authority of another service': [
    'wrong_signature',
    { lines: [...without('"@authority"'), ['"@authority"', 'other.example']] },
  ],
  'a write without its method': ['method_not_covered', { lines: without('"@method"') }],
  'a write without its path': ['path_not_covered', { lines: without('"@path"') }],
  'a read without its method': [
    'method_not_covered',
    { ...read, lines: read.lines.filter(([name]) => name !== '"@method"') },
  ],
  'a read without its path': [
    'path_not_covered',
    { ...read, lines: read.lines.filter(([name]) => name !== '"@path"') },
  ],
  'a request whose query is not covered': ['query_not_covered', { query: '?dry_run=false' }],
  'a write without a digest': ['digest_not_covered', { lines: without('"content-digest"') }],
  'a digest of another body': ['digest_mismatch', { body: '{"text":"Other"}' }],
  'a digest by an unknown algorithm': [
    'digest_mismatch',
    {
      headers: { 'content-digest': 'md5=:AQID:' },
      lines: [...without('"content-digest"'), ['"content-digest"', 'md5=:AQID:']],
    },
  ],
  'a digest by an algorithm with the name of a method': [
    'malformed_header',
    { headers: { 'content-digest': 'toString=:AQID:' } },
  ],
  'a covered Authorization header': [
    'unsupported_component',
    { lines: [...honest.lines, ['"authorization"', 'Bearer secret']] },
  ],
  'an unknown derived component': ['unsupported_component', { lines: [...honest.lines, ['"@status"', '200']] }],
  'a component with the name of a method': [
    'unsupported_component',
    { lines: [...honest.lines, ['"constructor"', 'x']] },
  ],
  'a component with an unknown parameter': [
    'unsupported_component',
    { lines: [...honest.lines, ['"content-type";bs', 'x']] },
  ],
  'a header that is too long': ['too_large', { input: (written) => `${written}, x="${'x'.repeat(9_000)}"` }],
  'more than 16 components': [
    'too_large',
    { lines: [...honest.lines, ...Array.from({ length: 12 }, (_, at): Line => [`"x-${at}"`, ''])] },
  ],
  'more than 16 signatures': [
    'too_large',
    { input: (written) => [written, ...Array.from({ length: 16 }, (_, at) => `b${at}=1`)].join(', ') },
  ],
  'more than 16 parameters': [
    'too_large',
    withParameters(';tag=', `${Array.from({ length: 12 }, (_, at) => `;p${at}`).join('')};tag=`),
  ],
  'a path that is too long to store': [
    'too_large',
    {
      path: `/${'p'.repeat(8_000)}`,
      lines: [...without('"@path"'), ['"@path"', `/${'p'.repeat(8_000)}`]],
    },
  ],
  'a member of another field than Signature-Agent': [
    'unsupported_component',
    {
      headers: { ...honest.headers, date: 'a=1' },
      lines: [...honest.lines, ['"date";key="a"', '1']],
    },
  ],
  'a header with control characters': ['malformed_header', { input: (written) => `${written}\u0001` }],
}

/** The same bits with a spare bit set: another text for the same bytes. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const spareBit = (end: string) => alphabet[alphabet.indexOf(end.charAt(0)) | 1]

function addOrder(made: Buffer): Buffer {
  const order = (1n << 252n) + 27742317777372353535851937790883648493n
  const s = BigInt(`0x${Buffer.from(made.subarray(32)).reverse().toString('hex')}`) + order
  return Buffer.concat([made.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex').reverse()])
}

const refusedFor = (code: AgentRefusalCode) => (error: unknown) => {
  assert.ok(error instanceof AgentRefusal, String(error))
  assert.equal(error.code, code)
  return true
}

test('an honest signature is accepted, also of a read', () => {
  assert.equal(verify({}).domain, 'agent.example')
  assert.equal(verify(read).domain, 'agent.example')
})

for (const [name, [code, forged]] of Object.entries(hostileSignatures))
  test(`refused (${code}): ${name}`, () => {
    assert.throws(() => verify(forged), refusedFor(code))
  })

/** The shortest of several readings, so that other work on the machine does not count. */
function readingTime(text: string): number {
  const times = Array.from({ length: 20 }, () => {
    const from = performance.now()
    assert.equal(readDictionary(text).size, 2)
    return performance.now() - from
  })
  return Math.min(...times)
}

test('spaces inside a field take no more time than tabs, for which the reader never goes back', () => {
  const field = (blank: string) => `a,${blank.repeat(8_000)}b`
  assert.ok(readingTime(field(' ')) < 100 * readingTime(field('\t')))
})
