import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientAddress as addressOf } from './client-address.ts'

const gateway = '127.0.0.1'

const received = (forwarded: string | undefined, remoteAddress: string | undefined) => ({
  headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  socket: { remoteAddress },
})
const clientAddress = (forwarded: string | undefined, socketAddress: string | undefined) =>
  addressOf(received(forwarded, socketAddress), true)

test('an IPv4 address is used unchanged, even if it is mapped to IPv6', () => {
  for (const forwarded of [
    '203.0.113.7',
    '::ffff:203.0.113.7',
    '::FFFF:203.0.113.7',
    '::ffff:cb00:7107',
    '0:0:0:0:0:ffff:cb00:7107',
  ])
    assert.equal(clientAddress(forwarded, gateway), '203.0.113.7', forwarded)
})

test('an IPv6 address is reduced to its /64, in any spelling', () => {
  const spellings = [
    '2001:db8:0:a::1',
    '2001:0db8:0000:000a:0000:0000:0000:0001',
    '2001:DB8:0:A::1',
    '2001:db8:0:a:ffff:ffff:ffff:ffff',
    '2001:db8::a:1:2:3:4',
    '2001:db8::a:1:2:198.51.100.1',
  ]
  for (const forwarded of spellings) assert.equal(clientAddress(forwarded, gateway), '2001:db8:0:a::/64', forwarded)
  assert.equal(clientAddress('2001:db8:0:b::1', gateway), '2001:db8:0:b::/64')
  assert.equal(clientAddress('::1:2:3:4:5:192.0.2.1', gateway), '0:1:2:3::/64')
  assert.equal(clientAddress('fe80::1%eth0', gateway), 'fe80:0:0:0::/64')
  assert.equal(clientAddress('::1', gateway), '0:0:0:0::/64')
})

test('an invalid address falls back to the socket', () => {
  const garbage = [
    undefined,
    '',
    'unknown',
    '203.0.113.7, 198.51.100.1',
    '203.0.113.7:4000',
    '[2001:db8::1]',
    '203.0.113.256',
    '203.0.113',
    '1',
    '0x7f.1',
    '203.0.113.7/24',
    'anyone@203.0.113.7',
    '2001:db8::1::2',
    'x'.repeat(10_000),
  ]
  for (const forwarded of garbage) {
    assert.equal(clientAddress(forwarded, '192.0.2.1'), '192.0.2.1', String(forwarded).slice(0, 50))
    assert.equal(clientAddress(forwarded, '::ffff:192.0.2.1'), '192.0.2.1')
    assert.equal(clientAddress(forwarded, undefined), 'unknown')
  }
})

test('an address header is trusted only from the gateway', () => {
  for (const forwarded of ['203.0.113.7', '2001:db8::1', undefined])
    assert.equal(addressOf(received(forwarded, '192.0.2.1'), false), '192.0.2.1')
  assert.equal(addressOf(received('203.0.113.7', '2001:db8:1:2::3'), false), '2001:db8:1:2::/64')
})
