import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { newApiKey } from '../../accounts/keys/api-key.ts'
import { isPlaceholder } from './sensitive-data/placeholder.ts'
import { vendorKey } from './sensitive-data/vendor-key.ts'

const find = (text: string) => vendorKey.find([{ field: 'body', text }])

const digits = '0123456789'
const hex = `${digits}abcdef`
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const base62 = digits + letters
const base64url = `${base62}_-`
const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Looks random but is the same in every run. No key appears in this file, because secret scanners would flag it. */
function randomText(alphabet: string, length: number, seed: number): string {
  const bytes = Array.from({ length: Math.ceil(length / 32) }, (_, block) => [
    ...createHash('sha256').update(`${seed} ${block} ${alphabet}`).digest(),
  ]).flat()
  return bytes
    .slice(0, length)
    .map((byte) => alphabet.charAt(byte % alphabet.length))
    .join('')
}

/** One of thousands of random keys contains `fake` or the like by chance. */
function ownKey(): string {
  const key = newApiKey()
  return isPlaceholder(key) ? ownKey() : key
}

/** Each returns the parts of a key. */
const makers: Record<string, (random: (alphabet: string, length: number) => string) => string[]> = {
  'an AWS access key': (random) => ['AKIA', random(base32, 16)],
  'a temporary AWS access key': (random) => ['ASIA', random(base32, 16)],
  'an AWS secret key': (random) => ['aws_secret_access_key = "', random(`${base62}/+`, 40), '"'],
  'an AWS secret key in the environment': (random) => ['AWS_SECRET_ACCESS_KEY=', random(`${base62}/+`, 40)],
  'a GitHub token': (random) => ['ghp_', random(base62, 36)],
  'a GitHub token of an app': (random) => ['ghs_', random(base62, 36)],
  'a fine-grained GitHub token': (random) => ['github_pat_', random(base62, 22), '_', random(base62, 59)],
  'a GitLab token': (random) => ['glpat-', random(base64url, 20)],
  'a Slack bot token': (random) => ['xoxb-', random(digits, 12), '-', random(digits, 13), '-', random(base62, 24)],
  'a Slack app token': (random) => ['xapp-1-A0', random(digits, 9), '-', random(digits, 13), '-', random(hex, 64)],
  'a Slack webhook': (random) => ['https://hooks.slack.com/services/T0AAAA1AA/B0BBBB2BB/', random(base62, 24)],
  'a Stripe live key': (random) => ['sk_live_', random(base62, 24)],
  'a long Stripe live key': (random) => ['rk_live_', random(base62, 99)],
  'an old OpenAI key': (random) => ['sk-', random(base62, 20), 'T3BlbkFJ', random(base62, 20)],
  'an OpenAI key': (random) => ['sk-proj-', random(base64url, 58), 'T3BlbkFJ', random(base64url, 58)],
  'an Anthropic key': (random) => ['sk-ant-api03-', random(base64url, 93), 'AA'],
  'a Google API key': (random) => ['AIza', random(base64url, 35)],
  'a Google client secret': (random) => ['GOCSPX-', random(base64url, 28)],
  'an npm token': (random) => ['npm_', random(base62, 36)],
  'a PyPI token': (random) => ['pypi-AgEIcHlwaS5vcmc', random(base64url, 120)],
  'a Hugging Face token': (random) => ['hf_', random(letters, 34)],
  'a Twilio key': (random) => ['SK', random(hex, 32)],
  'a SendGrid key': (random) => ['SG.', random(base64url, 22), '.', random(base64url, 43)],
  'a DigitalOcean token': (random) => ['dop_v1_', random(hex, 64)],
  'a Shopify token': (random) => ['shpat_', random(hex, 32)],
  'a Telegram token': (random) => ['https://api.telegram.org/bot', random(digits, 10), ':AA', random(base62, 33), '/x'],
  'our own key': () => [ownKey()],
  'our own webhook secret': (random) => ['whsec_', random(`${base62}+/`, 43), '='],
}
const surroundings = [
  (key: string) => key,
  (key: string) => `export TOKEN="${key}"`,
  (key: string) => `My bot stopped. The key is ${key}, what is wrong?`,
  (key: string) => `curl -H 'Authorization: Bearer ${key}' https://api.example/v1`,
  (key: string) => `(${key})`,
  (key: string) => `钥匙：${key}。`,
]

const random = (seed: number) => (alphabet: string, length: number) => randomText(alphabet, length, seed)
const passes: Record<string, string> = {
  'the example of AWS': 'AKIAIOSFODNN7EXAMPLE',
  'the example of an AWS secret': 'aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  'the example of our own documentation': 'bsk_EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXA3a1B2c',
  'our own key, mistyped': newApiKey().replace(/.$/, (last) => (last === 'a' ? 'b' : 'a')),
  'the example of Standard Webhooks': `${'whsec'}_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw`,
  'x in the place of a key': `sk_test_${'x'.repeat(24)}`,
  'x in the place of a live key': `sk_live_${'x'.repeat(24)}`,
  'capital X': `ghp_${'X'.repeat(36)}`,
  zeros: `npm_${'0'.repeat(36)}`,
  'counted digits': `ghp_${'1234567890'.repeat(4).slice(0, 36)}`,
  'counted letters': 'ghp_abcdefghijklmnopqrstuvwxyz0123456789',
  'a word in the place of a key': 'sk_live_YOURSECRETKEYGOESHERE1234',
  'dots in the place of a key': 'Put ghp_... or sk-ant-... there.',
  'a shortened key': `AKIA${random(1)(base32, 8)}…`,
  'a sandbox key of Stripe': `sk_test_${random(2)(base62, 24)}`,
  'a publishable key of Stripe': `pk_live_${random(3)(base62, 24)}`,
  'a key inside a longer word': `x${random(4)(base62, 8)}AKIA${random(4)(base32, 16)}zz`,
  'a commit': random(5)(hex, 40),
  'a hash': `sha256:${random(6)(hex, 64)}`,
  'a UUID': 'b5f0a7c2-19d4-4e8b-9c33-7a1d52e60f98',
  'base64 of a picture': `data:image/png;base64,${random(7)(`${base62}+/`, 300)}`,
  'a public key': `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${random(8)(base62, 43)} me@host.example`,
  'a mask of a pattern': 'The pattern is ghp_[A-Za-z0-9]{36}.',
  'skis and a product number': 'Rossignol SK0123 skis, sk-type binding, 170 cm',
}

describe('keys of well-known services', () => {
  for (const [title, make] of Object.entries(makers)) {
    test(`${title}: rejected`, () => {
      const key = make(random(title.length)).join('')
      for (const surround of surroundings) assert.match(find(surround(key)) ?? '', /^`body` contains what looks like /)
    })
  }
  for (const [title, text] of Object.entries(passes)) {
    test(`${title}: passes`, () => {
      for (const surround of surroundings) assert.equal(find(surround(text)), null)
    })
  }

  test('every random key is found, and the reason repeats no five characters of it', () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.entries(makers)), fc.nat(), ([title, make], seed) => {
        const secrets: string[] = []
        const key = make((alphabet, length) => {
          const secret = randomText(alphabet, length, seed)
          secrets.push(secret)
          return secret
        }).join('')
        fc.pre(!isPlaceholder(key))
        const reason = find(key)
        assert.ok(reason !== null, `${title} with seed ${seed}`)
        const pieces = secrets.flatMap((secret) => Array.from(secret, (_, index) => secret.slice(index, index + 5)))
        assert.ok(!pieces.some((piece) => piece.length === 5 && reason.includes(piece)))
      }),
      { numRuns: 1_000 },
    )
  })

  test('the reason names the vendor of the key', () => {
    assert.match(find(makers['an Anthropic key']!(random(9)).join('')) ?? '', /an Anthropic key/)
    assert.match(find(ownKey()) ?? '', /an API key of this service/)
  })
})
