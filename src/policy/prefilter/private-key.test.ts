import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { describe, test } from 'node:test'
import type { Rule } from './rule.ts'
import { isPlaceholder } from './sensitive-data/placeholder.ts'
import { privateKey } from './sensitive-data/private-key.ts'
import { signedToken } from './sensitive-data/signed-token.ts'

const ask = (rule: Rule, text: string) => rule.find([{ field: 'body', text }])

function assertTells(rule: Rule, text: string, pattern: RegExp) {
  const reason = ask(rule, text) ?? ''
  assert.match(reason, pattern)
  const secret = text.replaceAll(/-----[A-Z ]+-----/g, '')
  for (let index = 0; index + 5 <= secret.length; index++) {
    const piece = secret.slice(index, index + 5)
    assert.ok(/\s|^[a-z]+$/.test(piece) || !reason.includes(piece), `the reason repeats ${piece}`)
  }
}

type Type = 'pkcs1' | 'pkcs8' | 'sec1'
const makers: Record<string, () => KeyObject> = {
  rsa: () => generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey,
  elliptic: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
  edwards: () => generateKeyPairSync('ed25519').privateKey,
}

/** One of thousands of random keys contains `fake` or the like by chance. */
function pemOf(maker: string, type: Type, encryption = {}): string {
  const pem = makers[maker]!()
    .export({ type, format: 'pem', ...encryption })
    .toString()
  return isPlaceholder(pem.split('\n').slice(1, -2).join('')) ? pemOf(maker, type, encryption) : pem
}

const keys: Record<string, string> = {
  'RSA, PKCS #1': pemOf('rsa', 'pkcs1'),
  'RSA, PKCS #8': pemOf('rsa', 'pkcs8'),
  'an encrypted key': pemOf('rsa', 'pkcs8', { cipher: 'aes-256-cbc', passphrase: 'p' }),
  'EC, SEC 1': pemOf('elliptic', 'sec1'),
  'EC, PKCS #8': pemOf('elliptic', 'pkcs8'),
  'Ed25519, the shortest': pemOf('edwards', 'pkcs8'),
}
const rsaContent = keys['RSA, PKCS #8']!.split('\n').slice(1, -2)
const armour = (kind: string, content: string) => `-----BEGIN ${kind}-----\n${content}\n-----END ${kind}-----`

const refused: Record<string, string> = {
  ...keys,
  OpenSSH: armour('OPENSSH PRIVATE KEY', rsaContent.join('\n')),
  PGP: armour('PGP PRIVATE KEY BLOCK', `Version: GnuPG v2\n\n${rsaContent.join('\n')}\n=aB3d`),
  'a key out of JSON': JSON.stringify({ type: 'service_account', private_key: keys['RSA, PKCS #8'] }),
  'a key whose end was cut off': keys['RSA, PKCS #1']!.slice(0, 400),
  'an indented key': keys['RSA, PKCS #1']!.replaceAll('\n', '\n    '),
}
const passes: Record<string, string> = {
  'a public key': generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }).toString(),
  'the first line in a sentence':
    'Search your repository for -----BEGIN PRIVATE KEY----- and for -----BEGIN RSA PRIVATE KEY----- before you push it.',
  'the first line before prose':
    'A file that begins with -----BEGIN PRIVATE KEY----- holds a key in base64 and must never be sent to anybody at all.',
  'dots in the place of a key': armour('PRIVATE KEY', '...'),
  'x in the place of a key': armour('RSA PRIVATE KEY', 'x'.repeat(64)),
  'a word in the place of a key': armour('PRIVATE KEY', 'YOUR_PRIVATE_KEY_HERE'),
  'a certificate': armour('CERTIFICATE', rsaContent.join('\n')),
  'counted letters': armour('PRIVATE KEY', 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'),
}

describe('private keys', () => {
  for (const [title, text] of Object.entries(refused)) {
    test(`${title}: rejected`, () => assertTells(privateKey, text, /^`body` contains a private key/))
  }
  for (const [title, text] of Object.entries(passes)) {
    test(`${title}: passes`, () => assert.equal(ask(privateKey, text), null))
  }
})

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
function tokenOf(payload: object, header: object = { alg: 'HS256', typ: 'JWT' }) {
  const content = `${encode(header)}.${encode(payload)}`
  return `${content}.${createHmac('sha256', 'a secret of this test').update(content).digest('base64url')}`
}
const token = tokenOf({ sub: 'user-17', iss: 'https://login.example', exp: 1_900_000_000 })
const [header = '', payload = '', signature = ''] = token.split('.')

describe('signed tokens', () => {
  const tokens: Record<string, string> = {
    'a token': token,
    'a token in a header': `Authorization: Bearer ${token}`,
    'a token in JSON': JSON.stringify({ access_token: token }),
    'a token in an address': `https://app.example/login?token=${token}&next=home`,
    'a token at the end of a sentence': `It answers 401 for ${token}.`,
    'a token with a key id': tokenOf({ sub: 'a' }, { alg: 'RS256', kid: 'k1' }),
    'a token with little in it': tokenOf({ role: 'anon' }),
    'a token in brackets': `(${token})`,
  }
  for (const [title, text] of Object.entries(tokens)) {
    test(`${title}: rejected`, () => assertTells(signedToken, text, /^`body` contains a signed token/))
  }

  const others: Record<string, string> = {
    'the sample of the manuals': tokenOf({ sub: '1234567890', name: 'John Doe', iat: 1516239022 }),
    'a token without its signature': `${header}.${payload}.`,
    'a token without a signature at all': `${encode({ alg: 'none' })}.${payload}`,
    'a shortened token': `${header}.${payload}.${signature.slice(0, 6)}…`,
    'x in the place of a signature': `${header}.${payload}.${'x'.repeat(43)}`,
    'the name of a part': 'eyJhbGciOi… is how most tokens begin.',
    'a header that is no JSON': `eyJ${'a'.repeat(30)}.${payload}.${signature}`,
    'a header without an algorithm': `${encode({ typ: 'JWT', cty: 'JWT' })}.${payload}.${signature}`,
    'a file name with dots': 'report.final.version-2026-11-15-with-a-very-long-name-that-goes-on.pdf',
  }
  for (const [title, text] of Object.entries(others)) {
    test(`${title}: passes`, () => assert.equal(ask(signedToken, text), null))
  }
})
