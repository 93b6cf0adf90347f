import assert from 'node:assert/strict'
import { createSecretKey } from 'node:crypto'
import { test } from 'node:test'
import { component, createSignatureSync, verifySignature } from 'http-message-sig'
import { signEd25519 } from '../ed25519.ts'
import { findDirectoryKey } from './directory.ts'
import { isSignedBy, keysFromSeed, readPublicKey, thumbprintOfJwk } from './jwk-keys.ts'
import { AgentRefusal } from './refusal.ts'
import { openRequestSigning } from './request-signing.ts'
import { signatureBase } from './signature-base.ts'
import { type InnerList, isInnerList, readDictionary, writeMember } from './structured-fields.ts'
import { readSignature, verifyRequest } from './verify-request.ts'

const seed = Buffer.from(Array.from({ length: 32 }, (_, index) => 0x60 + index))
const x = 'F0VTtFbd38aQjsqxwQH-arIeK6oGF3lbfUOmNIKZP9U'
const keyId = 'HlHgCcjrhbeyw80VMef51yPwhyRqjiwLdwSLRqo7hSI'
const at = new Date(1_790_000_000_000)
const signing = openRequestSigning({
  keys: [{ id: 'test', key: createSecretKey(seed) }],
  accountPageUrl: 'https://posts.example',
  clock: { now: () => at },
  nonce: () => 'ERERERERERERERERERERERERERERERERERERERERERE=',
})
const body = Buffer.from('{"type":"post.published"}')
const request = { method: 'POST', origin: 'https://hooks.customer.example', path: '/in', query: '', body }
const publicKey = readPublicKey(x) as Buffer

test('a seed gives the key and the thumbprint of the reference', () => {
  assert.equal(keysFromSeed(seed).x, x)
  assert.equal(thumbprintOfJwk(x), keyId)
})

test('a signed request has the bytes of the reference', () => {
  assert.deepEqual(signing.sign(request), {
    'content-digest': 'sha-256=:CdqEbQFh+JerfSadNxg+tpJQKR3Ujc61yQToaPSVnVM=:',
    'signature-agent': 'sig1="https://posts.example/.well-known/http-message-signatures-directory"',
    'signature-input': `sig1=("@method" "@authority" "@path" "content-digest" "signature-agent";key="sig1");created=1790000000;expires=1790000060;keyid="${keyId}";alg="ed25519";nonce="ERERERERERERERERERERERERERERERERERERERERERE=";tag="web-bot-auth"`,
    signature: 'sig1=:ZjhNF9vyBFmdSdVy8755G4HrcIAULIPNbWjtHpl4yBuXnofCd7sxCcc54HvTrz2fb9XV9C1MzqB6wHazaJ55Bg==:',
  })
})

test('the directory has the bytes and the signature of the reference', () => {
  const directory = signing.directory()
  assert.equal(
    directory.body.toString(),
    `{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"${keyId}","x":"${x}","use":"sig"}]}`,
  )
  assert.deepEqual(directory.headers, {
    'content-digest': 'sha-256=:sz3yBZvLZR0vTs532Y9ymbIeTs5vcQ5NGFN9JG1J1/0=:',
    'signature-input': `binding=("@authority";req "content-digest");created=1790000000;expires=1790086400;keyid="${keyId}";tag="http-message-signatures-directory"`,
    signature: 'binding=:CVUBcksSurGMyISUKOWR41iZTCkAosP0BVkX70udJBMIxFBJJWbXrTyoOlp/0Sf4Hnz7vs9THHLdEJ57lVSZAw==:',
  })
  assert.deepEqual(findDirectoryKey(directory.body, keyId), publicKey)
})

test('what is signed here is verified here, with and without a query and a body', () => {
  for (const one of [
    request,
    { ...request, query: '?dry_run=true' },
    { ...request, method: 'GET', query: '', body: null },
    { ...request, method: 'GET', query: '?limit=1', body: null },
  ]) {
    const read = verifyRequest({ ...one, headers: signing.sign(one) }, at, publicKey)
    assert.equal(read.keyId, keyId)
    assert.equal(read.domain, 'posts.example')
  }
})

test('the Ed25519 vector of RFC 9421, appendix B.2.6, has this base and this signature', () => {
  const input = readDictionary(
    'sig-b26=("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"',
  ).get('sig-b26')
  const message = {
    method: 'POST',
    origin: 'https://example.com',
    path: '/foo',
    query: '?param=Value&Pet=dog',
    headers: { date: 'Tue, 20 Apr 2021 02:07:55 GMT', 'content-type': 'application/json', 'content-length': '18' },
  }
  const base = Buffer.from(signatureBase(message, input as InnerList))
  const signature = 'wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw=='
  const { privateKey, x: shown } = keysFromSeed(Buffer.from('n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU', 'base64url'))
  assert.equal(shown, 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs')
  assert.equal(signEd25519(privateKey, base).toString('base64'), signature)
  assert.ok(isSignedBy(readPublicKey(shown) as Buffer, base, Buffer.from(signature, 'base64')))
})

test('the Ed25519 vector of the Web Bot Auth draft verifies, and its published key is refused', () => {
  const input =
    'sig2=("@authority" "signature-agent";key="agent2");created=1735689600;keyid="poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U";alg="ed25519";expires=4889289600;nonce="n9p433xm+NJ3ph3upfBIGmsuwHw387YV7Q/F+6BSpGCVjYCqQw6rznNA8PVVLySrAWsv0hQtFioQb6E1YsauiA==";tag="web-bot-auth"'
  const signature = 'RdNFx5Bj6au3YgAMQL/RzmUlZE8QZLIaXGRpw985hWnwPfMxT228NMk6ehRS1PSl4e8PhbNZACSanGdhEwYCCg=='
  const message = {
    method: 'GET',
    origin: 'https://example.com',
    path: '/',
    query: '',
    body: null,
    headers: {
      'signature-agent': 'agent2="https://signature-agent.test"',
      'signature-input': input,
      signature: `sig2=:${signature}:`,
    },
  }
  const base = Buffer.from(signatureBase(message, readDictionary(input).get('sig2') as InnerList))
  const key = readPublicKey('JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs') as Buffer
  assert.ok(isSignedBy(key, base, Buffer.from(signature, 'base64')))
  assert.throws(
    () => readSignature(message, new Date(1_735_689_601_000)),
    (error) => error instanceof AgentRefusal && error.code === 'published_test_key',
  )
})

test('http-message-sig verifies requests and the directory that are signed here', async () => {
  const policy = {
    algorithms: ['ed25519'],
    requiredComponents: ['@authority', component('signature-agent', { key: 'sig1' })],
    requiredParameters: ['created', 'expires', 'keyid', 'tag'],
    now: 1_790_000_001,
  }
  const verifier = {
    algorithm: 'ed25519',
    verify: (data: Uint8Array, signature: Uint8Array) =>
      isSignedBy(publicKey, Buffer.from(data), Buffer.from(signature)),
  }
  const fieldsOf = (headers: object) => Object.entries(headers).map(([name, value]) => ({ name, value: String(value) }))
  for (const one of [request, { ...request, method: 'GET', query: '?limit=1', body: null }]) {
    const targetUri = `${one.origin}${one.path}${one.query}`
    const message = { kind: 'request' as const, method: one.method, targetUri, fields: fieldsOf(signing.sign(one)) }
    const verified = await verifySignature(message, { policy, resolveVerifier: () => verifier })
    assert.equal(verified.parameters.keyid, keyId)
  }
  const asked = { kind: 'request' as const, method: 'GET', targetUri: 'https://posts.example/', fields: [] }
  const response = {
    kind: 'response' as const,
    status: 200,
    request: asked,
    fields: fieldsOf(signing.directory().headers),
  }
  const ofDirectory = { ...policy, requiredComponents: [component('@authority', { req: true }), 'content-digest'] }
  const verified = await verifySignature(response, { policy: ofDirectory, resolveVerifier: () => verifier })
  assert.equal(verified.parameters.tag, 'http-message-signatures-directory')
})

test('requests that http-message-sig signs are verified here', () => {
  const { privateKey } = keysFromSeed(seed)
  const agent = {
    name: 'signature-agent',
    value: 'me="https://posts.example/.well-known/http-message-signatures-directory"',
  }
  const message = {
    kind: 'request' as const,
    method: 'GET',
    targetUri: 'https://messages.example/v1/posts?limit=1',
    fields: [agent],
  }
  const parameters = { created: 1_790_000_000, expires: 1_790_000_300, keyid: keyId, nonce: 'n1', tag: 'web-bot-auth' }
  const fields = createSignatureSync(message, {
    label: 'one',
    components: ['@method', '@authority', '@path', '@query', component('signature-agent', { key: 'me' })],
    parameters,
    signer: { algorithm: 'ed25519', sign: (data) => signEd25519(privateKey, Buffer.from(data)) },
  })
  const headers = {
    'signature-agent': agent.value,
    'signature-input': fields.signatureInput,
    signature: fields.signature,
  }
  const received = {
    method: 'GET',
    origin: 'https://messages.example',
    path: '/v1/posts',
    query: '?limit=1',
    body: null,
    headers,
  }
  assert.equal(verifyRequest(received, at, publicKey).keyId, keyId)
})

test('structured fields are written as they are read', () => {
  for (const field of [
    'a=("x" "y";key="z");created=1;tag="t"',
    'a="q\\"\\\\"',
    'a=:AQID:;p',
    'a=?0',
    'a=token/1:2',
    'a=-5',
  ])
    assert.equal(`a=${writeMember(readDictionary(field).get('a') as InnerList)}`, field)
  assert.ok(isInnerList(readDictionary('a=()').get('a') as InnerList))
})

for (const field of [
  'a=1,',
  'A=1',
  'a=1 b=2',
  'a=(1',
  'a=("x""y")',
  'a="é"',
  'a=:A:',
  'a=:AB==:',
  'a=1.5',
  'a=1234567890123456',
  'a=?2',
  ',a=1',
])
  test(`the field ${field} is refused`, () => {
    assert.throws(() => readDictionary(field), SyntaxError)
  })
