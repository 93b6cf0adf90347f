import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isReservedName } from './reserved-names.ts'

test('names of the platform and its staff are reserved, however they are spelled', () => {
  for (const name of [
    'Broadside',
    'Broadside Staff (official)',
    'B R O A D S I D E',
    'Br0ads1de news',
    'Вroаdѕide', // Cyrillic В, а and ѕ
    'Broa\u200bdside',
    'ＢＲＯＡＤＳＩＤＥ',
    'Bröadside',
    'the-broadside-team',
    'Official Support',
    'ADMIN',
    'Mоderation Team', // Cyrillic о
    'Trust and Safety Staff',
    'Tide Bot · Verified domain openai.com',
    'Tide Bot · Verified agent of openai.com',
    'VER1FIED AGENT of bank.example',
    'Verified-by bank.example',
    'Vеrifiеd Аgent', // Cyrillic е and А
    'νerified aɡent', // Greek ν, and the ɡ of phonetics
  ])
    assert.ok(isReservedName(name), name)
})

test('other names with such words are allowed', () => {
  for (const name of [
    'Harbour Notices',
    'Harbour Staff',
    'Official Tide Tables',
    'Support for Ferry Crews',
    'Broad Street Sidecars',
    'Roadside Geology',
    'Trust',
    'Verified Tide Tables',
    'Travel agent',
    'Админ порта',
    '港のお知らせ',
    '42',
  ])
    assert.ok(!isReservedName(name), name)
})
