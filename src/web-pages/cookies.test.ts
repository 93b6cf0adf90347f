import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cookieLines, readCookie } from './cookies.ts'

test('cookies are host-only and HttpOnly, and also Secure over HTTPS', () => {
  assert.deepEqual(cookieLines({ session: 'x', visit: null }, true), [
    '__Host-broadside_owner=x; Path=/; Max-Age=43200; HttpOnly; SameSite=Lax; Secure',
    '__Host-broadside_visit=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure',
  ])
  const token = 'A'.repeat(43)
  assert.equal(readCookie(`__Host-broadside_owner=${token}`, 'session', true), token)
  assert.equal(readCookie(`broadside_owner=${token}`, 'session', true), null)
  assert.equal(readCookie(`a=b; broadside_owner=${token}`, 'session', false), token)
  const twice = `broadside_owner=${token}; broadside_owner=${'B'.repeat(43)}`
  for (const header of [undefined, '', twice, 'broadside_owner=short', `xbroadside_owner=${token}`])
    assert.equal(readCookie(header, 'session', false), null, String(header))
})
