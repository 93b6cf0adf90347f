// Accounts: spec "Account", "Account deletion"; decisions 1 and 3.
import { crc32 } from 'node:zlib'
import { accountRecord, freshAccount, freshEmail, marker } from '../accounts.ts'
import {
  equal,
  excludes,
  hasStatus,
  holds,
  idPattern,
  includes,
  isInteger,
  isInvalid,
  isObject,
  isOkJson,
  isOwnerLink,
  isProblem,
  isString,
  isTime,
  lacks,
  match,
  sameJson,
} from '../assert.ts'
import { fixture, type Json, section } from '../checks.ts'
import { uuid7Time } from '../formats.ts'
import { at } from '../http.ts'
import { kinds } from '../targets.ts'

const test = section('accounts')

const fresh = fixture('a new account', () => freshAccount())
const create = (body, kind = 'message') => at(kind).post('/v1/accounts', body)
const valid = (extra?: Json) => ({ name: `Acceptance ${marker(3)}`, email: freshEmail(), accept_terms: true, ...extra })

test('create-answers-201: decisions 3: POST /v1/accounts answers 201 {id, name, email, api_key, account_url, for_human: true, next_step}', async () => {
  const sent = valid()
  const body = isOkJson(await create(sent), 201)
  for (const member of ['id', 'api_key', 'account_url']) isString(body[member], member)
  // What next_step looks like is open; it must be there.
  holds(Boolean(body.next_step), 'next_step', 'something', body.next_step)
  equal(body.name, sent.name)
  equal(body.email, sent.email)
  equal(body.for_human, true)
})

test('create-needs-no-key: spec Authentication 3: POST /v1/accounts needs no key, on each of the four sites', async () => {
  for (const kind of kinds) hasStatus(await create(valid(), kind), 201)
})

test('id-format: decisions 1: acct_ and a UUIDv7 in Crockford base32, lowercase, 26 characters', async () => {
  const account = await fresh()
  match(account.id, idPattern('acct'))
  const minutes = Math.abs(Date.now() - uuid7Time(account.id, 'id')) / 60_000
  holds(minutes < 30, 'time inside the id', 'now', `${minutes} minutes away`)
})

test('key-format: decisions 1: API keys are bsk_, 43 base62 characters and a 6-character checksum', async () => {
  const account = await fresh()
  match(account.key, /^bsk_[0-9A-Za-z]{49}$/, 'api_key')
})

test('key-checksum: decisions 1: the last six characters are the base62 CRC32 of what precedes them', async () => {
  const account = await fresh()
  // The order of base62's alphabet, and whether "what precedes it" has the prefix, are open: any usual answer counts.
  const start = account.key.slice(0, -6)
  const alphabets = [
    '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
    '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ',
    'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  ]
  const base62 = (number, alphabet) => {
    let text = ''
    for (let rest = number; text.length < 6; rest = Math.floor(rest / 62)) text = alphabet[rest % 62] + text
    return text
  }
  const possible = [start, start.slice(4)].flatMap((text) => alphabets.map((alphabet) => base62(crc32(text), alphabet)))
  includes(possible, account.key.slice(-6), 'checksum of the key')
})

test('owner-link-format: decisions 1: account_url is {account_page_url}/o/{32 random bytes in base64url}', async () => {
  const account = await fresh()
  isOwnerLink(account.account_url)
})

test('same-email-several-accounts: decisions 3: the same email may own several accounts', async () => {
  const email = freshEmail()
  const first = isOkJson(await create(valid({ email })), 201)
  const second = isOkJson(await create(valid({ email })), 201)
  holds(
    first.id !== second.id && first.api_key !== second.api_key,
    'second account',
    'an id and a key of its own',
    second.id,
  )
})

test('shared-by-the-four-sites: decisions 2: accounts, keys and balance are shared by the four sites', async () => {
  const account = await fresh()
  for (const kind of kinds)
    equal((await accountRecord(account.key, kind)).id, account.id, `id of GET /v1/account on the ${kind} site`)
})

test('name-required: spec Account: name is required', async () => {
  isInvalid(await create(valid({ name: undefined })), '/name')
})
for (const [id, name, why] of [
  ['name-empty', '', 'at least 1 character'],
  ['name-81', 'n'.repeat(81), 'at most 80 characters'],
  ['name-number', 7, 'a string'],
  ['name-null', null, 'a string'],
])
  test(`${id}: decisions 3: name is 1–80 characters (${why})`, async () => {
    isInvalid(await create(valid({ name })), '/name')
  })
test('name-1-and-80: decisions 3: names of 1 and of 80 characters are accepted', async () => {
  hasStatus(await create(valid({ name: 'n' })), 201)
  hasStatus(await create(valid({ name: `Ünïted ${'n'.repeat(73)}` })), 201)
})

test('email-required: spec Account: email is required', async () => {
  isInvalid(await create(valid({ email: undefined })), '/email')
})
for (const [id, email] of [
  ['email-no-at', 'nobody.example.com'],
  ['email-no-domain', 'nobody@'],
  ['email-no-local', '@example.com'],
  ['email-two', 'a@example.com, b@example.com'],
  ['email-newline', 'a@example.com\r\nBcc: b@example.com'],
  ['email-empty', ''],
  ['email-number', 12],
])
  test(`${id}: decisions 3: email is a valid address (${JSON.stringify(email)} is refused)`, async () => {
    isInvalid(await create(valid({ email })), '/email')
  })
test('email-254: decisions 3: an email of 254 characters is accepted, one of 255 is refused', async () => {
  const address = (length) => {
    const local = `bb${marker()}`.padEnd(60, 'x')
    const labels = [...Array(3).fill('d'.repeat(60)), '']
    const rest = length - local.length - 1 - labels.join('.').length - '.com'.length
    return `${local}@${labels.slice(0, 3).join('.')}.${'e'.repeat(rest)}.com`
  }
  equal(address(254).length, 254, 'the check itself')
  hasStatus(await create(valid({ email: address(254) })), 201)
  isInvalid(await create(valid({ email: address(255) })), '/email')
})

for (const [id, accept_terms] of [
  ['terms-missing', undefined],
  ['terms-false', false],
  ['terms-string', 'true'],
  ['terms-one', 1],
])
  test(`${id}: decisions 3: accept_terms must be exactly true, else 422 terms_not_accepted (${JSON.stringify(accept_terms) ?? 'missing'})`, async () => {
    isProblem(await create(valid({ accept_terms })), 422, 'terms_not_accepted')
  })

test('terms-and-another-fault: decisions 14: terms_not_accepted only when it is the sole fault, else validation_failed', async () => {
  isInvalid(await create(valid({ accept_terms: false, email: 'nobody' })), '/email')
})
test("name-hidden-characters: decisions 14: the account's name obeys the character rules of posts", async () => {
  for (const name of ['Black\u202Ebox', 'Black\u200Bbox', 'Black\u0007box'])
    isInvalid(await create(valid({ name })), '/name')
})

test('unknown-member: decisions, first paragraph: an unknown member is refused with 422 that points at it', async () => {
  isInvalid(await create(valid({ nmae: 'typo' })), '/nmae')
})

test('record-members: decisions 3: GET /v1/account carries every member of the account record', async () => {
  const account = await freshAccount()
  const record = isOkJson(await at('message').get('/v1/account', { key: account.key }))
  equal(record.id, account.id)
  equal(record.name, account.name)
  equal(record.email, account.email)
  equal(record.email_verified, false)
  equal(record.standing, 'good')
  equal(record.strikes, 0)
  equal(record.balance_micros, 0)
  equal(record.owed_micros, 0)
  equal(record.card_on_file, false)
  isObject(record.auto_recharge)
  equal(record.auto_recharge.enabled, false)
  // What a new account's threshold and amount are is open: a number or null.
  for (const member of ['threshold_micros', 'amount_micros']) {
    holds(member in record.auto_recharge, `auto_recharge.${member}`, 'a member', record.auto_recharge)
    if (record.auto_recharge[member] !== null)
      isInteger(record.auto_recharge[member], `auto_recharge.${member}`, { min: 0 })
  }
  equal(record.deletion, null)
  equal(record.keys, 1)
  isTime(record.created_at, 'created_at', { near: Date.now() })
  isOwnerLink(record.account_url)
})

test('record-hides-the-key: spec Account: api_key is returned once and cannot be retrieved later', async () => {
  const account = await fresh()
  const reply = await at('message').get('/v1/account', { key: account.key })
  excludes(reply.text, account.key, 'GET /v1/account')
  lacks(reply.json, 'api_key', 'GET /v1/account')
})

test('record-not-shared-in-caches: standards 8.11: an answer to a key is private or no-store', async () => {
  const account = await fresh()
  const reply = await at('message').get('/v1/account', { key: account.key })
  match(reply.headers['cache-control'], /no-store|private/, 'cache-control of GET /v1/account')
})

test('fresh-link-each-call: decisions 3: GET /v1/account has a fresh owner link at each call', async () => {
  const account = await fresh()
  const links = [
    account.account_url,
    (await accountRecord(account.key)).account_url,
    (await accountRecord(account.key)).account_url,
  ]
  equal(new Set(links).size, 3, 'different owner links in three answers')
})

test('no-key-401: decisions 10: GET /v1/account without a key is 401 missing_api_key', async () => {
  isProblem(await at('message').get('/v1/account'), 401, 'missing_api_key')
})

test('recharge-off: decisions 3: PATCH {"auto_recharge": {"enabled": false}} answers 200 with the account record', async () => {
  const account = await fresh()
  const record = isOkJson(
    await at('message').patch('/v1/account', { auto_recharge: { enabled: false } }, { key: account.key }),
  )
  equal(record.id, account.id)
  equal(record.auto_recharge.enabled, false)
})

test('recharge-on-is-the-owners: spec Errors: turning auto-recharge on answers 403 with account_url (decisions 3: owner_required, for_human: true)', async () => {
  const account = await fresh()
  isProblem(
    await at('message').patch('/v1/account', { auto_recharge: { enabled: true } }, { key: account.key }),
    403,
    'owner_required',
  )
  equal((await accountRecord(account.key)).auto_recharge.enabled, false, 'auto_recharge.enabled afterwards')
})

for (const member of ['threshold_micros', 'amount_micros'])
  test(`recharge-${member.replace('_micros', '')}-is-the-owners: decisions 3: ${member} of auto-recharge is the owner's (403 owner_required)`, async () => {
    const account = await fresh()
    const before = (await accountRecord(account.key)).auto_recharge
    isProblem(
      await at('message').patch(
        '/v1/account',
        { auto_recharge: { enabled: false, [member]: 5_000_000 } },
        { key: account.key },
      ),
      403,
      'owner_required',
    )
    sameJson((await accountRecord(account.key)).auto_recharge, before, 'auto_recharge afterwards')
  })

test('patch-unknown-member: decisions, first paragraph: PATCH /v1/account refuses an unknown member and points at it', async () => {
  const account = await fresh()
  isInvalid(
    await at('message').patch(
      '/v1/account',
      { auto_recharge: { enabled: false }, balance_micros: 1 },
      { key: account.key },
    ),
    '/balance_micros',
  )
})
test('patch-wrong-type: decisions 10: auto_recharge.enabled that is no boolean is 422 validation_failed', async () => {
  const account = await fresh()
  isInvalid(
    await at('message').patch('/v1/account', { auto_recharge: { enabled: 'no' } }, { key: account.key }),
    '/auto_recharge/enabled',
  )
})

const leaving = fixture('an account whose deletion was asked for', async () => {
  const account = await freshAccount({ micros: 100_000 })
  return { ...account, deletion: await at('message').delete('/v1/account', { key: account.key }) }
})
test('delete-asks-the-owner: decisions 3: DELETE /v1/account answers 202 {status: "awaiting_owner", account_url, for_human: true}', async () => {
  const account = await leaving()
  const body = isOkJson(account.deletion, 202)
  equal(body.status, 'awaiting_owner')
  isOwnerLink(body.account_url)
  equal(body.for_human, true)
})
test('delete-changes-nothing-yet: decisions 3: nothing else changes until the owner confirms; the record shows deletion.requested_at', async () => {
  const account = await leaving()
  const record = await accountRecord(account.key)
  equal(record.standing, 'good')
  equal(record.balance_micros, 100_000)
  isObject(record.deletion)
  isTime(record.deletion.requested_at, 'deletion.requested_at', { near: Date.now() })
  hasStatus(await at('event').patch('/v1/account', { auto_recharge: { enabled: false } }, { key: account.key }), 200)
})
test('delete-again: decisions 3: asking for the deletion again is 202 too', async () => {
  const account = await leaving()
  hasStatus(await at('message').delete('/v1/account', { key: account.key }), 202)
})

test('operator-credit: decisions 2: the operator books a credit, prints JSON, and the balance has it', async () => {
  const account = await freshAccount()
  const printed = await account.credit(1_234_567)
  includes(JSON.stringify(printed), '1234567', 'what the command prints')
  equal(await account.balance(), 1_234_567, 'balance_micros')
})

test('bearer-is-case-insensitive: spec Authentication 1: Authorization: Bearer <API_KEY> (RFC 9110: the scheme in any case)', async () => {
  const account = await fresh()
  hasStatus(await at('message').get('/v1/account', { headers: { authorization: `bearer ${account.key}` } }), 200)
})
