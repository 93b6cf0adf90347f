import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isUserInitiated } from './user-initiated.ts'

const navigation = { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'sec-fetch-user': '?1' }

test('our form, our links, the address bar and requests without headers count as user-initiated', () => {
  for (const site of ['same-origin', 'none'])
    assert.ok(isUserInitiated({ ...navigation, 'sec-fetch-site': site }), site)
  assert.ok(isUserInitiated({}))
  assert.ok(isUserInitiated({ 'sec-fetch-mode': 'cors' }), 'Node’s fetch')
})

test('links from other sites, subresources and prefetches do not', () => {
  for (const site of ['cross-site', 'same-site', 'anything'])
    assert.ok(!isUserInitiated({ ...navigation, 'sec-fetch-site': site }), site)
  for (const mode of ['cors', 'no-cors', 'same-origin', 'websocket'])
    assert.ok(!isUserInitiated({ 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': mode }), mode)
  for (const [name, value] of Object.entries({
    'sec-purpose': 'prefetch;prerender',
    purpose: 'prefetch',
    'x-purpose': 'preview',
    'x-moz': 'prefetch',
  }))
    assert.ok(!isUserInitiated({ ...navigation, 'sec-fetch-site': 'same-origin', [name]: value }), name)
})
