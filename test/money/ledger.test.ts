import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readBalance } from '../../src/ledger/balance.ts'
import { charge, refund } from '../../src/ledger/charges.ts'
import { credit, debit } from '../../src/ledger/deposits.ts'
import { penalty } from '../../src/ledger/split-transfers.ts'
import { BalanceTooLow, PurposeTaken, RefundTooLarge } from '../../src/ledger/transfers.ts'
import { type Connection, connect, inTransaction, type Transaction } from '../../src/platform/database/database.ts'
import { migratedDatabase, type OwnDatabase } from '../../tooling/services/databases.ts'
import { openAccounts } from '../support/money/ledger-model.ts'
import { verifyTestLedger } from '../support/money/verify-ledger.ts'

let database: OwnDatabase
/** Each role moves only its own kind of money, so each step runs as the role that does it in production. */
let roles: Record<'api' | 'worker' | 'operator' | 'reader' | 'migrator', Connection>
before(async () => {
  database = await migratedDatabase('ledger')
  const open = (role: keyof typeof roles) =>
    connect(database.urls[role], { poolMax: 2, applicationName: 'ledger test' })
  roles = {
    api: open('api'),
    worker: open('worker'),
    operator: open('operator'),
    reader: open('reader'),
    migrator: open('migrator'),
  }
})
after(async () => {
  for (const connection of Object.values(roles)) await connection[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

const at = new Date('2026-11-15T12:00:00Z')
const as = <Result>(role: keyof typeof roles, work: (tx: Transaction) => Promise<Result>) =>
  inTransaction(roles[role].db, work)
const balanceOf = (accountId: string) => readBalance(roles.reader.db, accountId)

async function account(prepaidMicros: number): Promise<string> {
  const [id = ''] = await openAccounts(roles.migrator.db, { prepaidMicros })
  return id
}

/** The price of this account's post. */
const postOf = (accountId: string) => ({
  ...{ accountId, keyId: null, amountMicros: 20_000, reason: 'post' as const, subject: `post:${accountId}`, at },
})

test('a charge is booked once per subject, however often it is requested', async () => {
  const accountId = await account(100_000)
  const act = postOf(accountId)
  assert.equal(await as('api', (tx) => charge(tx, act)), 'done')
  assert.equal(await as('api', (tx) => charge(tx, act)), 'already')
  assert.deepEqual(await balanceOf(accountId), { prepaidMicros: 80_000, owedMicros: 0 })
})

test('a charge beyond the balance is refused and leaves nothing behind', async () => {
  const accountId = await account(19_999)
  const act = postOf(accountId)
  await assert.rejects(
    as('api', (tx) => charge(tx, act)),
    BalanceTooLow,
  )
  assert.deepEqual(await balanceOf(accountId), { prepaidMicros: 19_999, owedMicros: 0 })
  await as('operator', (tx) => credit(tx, { accountId, amountMicros: 1, subject: `more:${accountId}`, at }))
  assert.equal(
    await as('api', (tx) => charge(tx, act)),
    'done',
    'the same purpose can be tried again once it is covered',
  )
})

test('a transaction that is rolled back after its charge charges nothing', async () => {
  const accountId = await account(50_000)
  const act = postOf(accountId)
  const lost = as('api', async (tx) => {
    await charge(tx, act)
    throw new Error('the program failed after the charge')
  })
  await assert.rejects(lost, /failed after/)
  assert.equal((await balanceOf(accountId)).prepaidMicros, 50_000)
})

test('a refund is booked once', async () => {
  const accountId = await account(20_000)
  const subject = `post:${accountId}`
  await as('api', (tx) => charge(tx, postOf(accountId)))
  const act = { accountId, amountMicros: 20_000, subject, at }
  assert.equal(await as('worker', (tx) => refund(tx, act)), 'done')
  assert.equal(await as('worker', (tx) => refund(tx, act)), 'already')
  assert.equal((await balanceOf(accountId)).prepaidMicros, 20_000)
})

test('a refund cannot exceed the charge for its subject', async () => {
  const accountId = await account(20_000)
  const subject = `post:${accountId}`
  const refundOf = (amountMicros: number, of: string) =>
    as('worker', (tx) => refund(tx, { accountId, amountMicros, subject: of, at }))
  await as('api', (tx) => charge(tx, postOf(accountId)))
  await assert.rejects(refundOf(20_001, subject), RefundTooLarge)
  await assert.rejects(refundOf(1, `never-charged:${accountId}`), RefundTooLarge)
  assert.equal(await refundOf(20_000, subject), 'done')
})

test('a purpose that was booked for another account or amount is not treated as a retry', async () => {
  const [one, other] = [await account(50_000), await account(50_000)]
  const act = postOf(one)
  await as('api', (tx) => charge(tx, act))
  await assert.rejects(
    as('api', (tx) => charge(tx, { ...act, accountId: other })),
    PurposeTaken,
  )
  await assert.rejects(
    as('api', (tx) => charge(tx, { ...act, amountMicros: 1 })),
    PurposeTaken,
  )
})

test('a penalty takes the available balance and books the rest as owed; paid operations wait until the debt is settled', async () => {
  const accountId = await account(90_000)
  const other = `other:${accountId}`
  await as('api', (tx) =>
    charge(tx, { accountId, keyId: null, amountMicros: 40_000, reason: 'post', subject: other, at }),
  )
  const subject = `post:${accountId}`
  const fine = { accountId, amountMicros: 180_000, subject, at }
  assert.equal(await as('worker', (tx) => penalty(tx, fine)), 'done')
  assert.deepEqual(await balanceOf(accountId), { prepaidMicros: 0, owedMicros: 130_000 })
  await as('worker', (tx) => refund(tx, { accountId, amountMicros: 40_000, subject: other, at }))
  const next = {
    accountId,
    keyId: null,
    amountMicros: 1_000,
    reason: 'search' as const,
    subject: `search:${accountId}`,
    at,
  }
  await assert.rejects(
    as('api', (tx) => charge(tx, next)),
    BalanceTooLow,
    'a debt comes first, whatever is prepaid',
  )
  await as('operator', (tx) => credit(tx, { accountId, amountMicros: 100_000, subject: `c1:${accountId}`, at }))
  assert.deepEqual(await balanceOf(accountId), { prepaidMicros: 10_000, owedMicros: 0 }, 'what was there pays too')
  await as('operator', (tx) => credit(tx, { accountId, amountMicros: 100_000, subject: `c2:${accountId}`, at }))
  assert.deepEqual(await balanceOf(accountId), { prepaidMicros: 110_000, owedMicros: 0 })
  assert.equal(await as('api', (tx) => charge(tx, next)), 'done')
})

test('a fully owed penalty is not taken again from later money', async () => {
  const accountId = await account(0)
  const fine = { accountId, amountMicros: 180_000, subject: `post:${accountId}`, at }
  await as('worker', (tx) => penalty(tx, fine))
  await as('operator', (tx) => credit(tx, { accountId, amountMicros: 500_000, subject: `c:${accountId}`, at }))
  assert.equal(await as('worker', (tx) => penalty(tx, fine)), 'already')
  assert.deepEqual(await balanceOf(accountId), { prepaidMicros: 320_000, owedMicros: 0 })
})

test('a retried credit settles its debt once', async () => {
  const accountId = await account(0)
  await as('worker', (tx) => penalty(tx, { accountId, amountMicros: 10_000, subject: `post:${accountId}`, at }))
  const act = { accountId, amountMicros: 4_000, subject: `c:${accountId}`, at }
  assert.equal(await as('operator', (tx) => credit(tx, act)), 'done')
  assert.equal(await as('operator', (tx) => credit(tx, act)), 'already')
  assert.deepEqual(await balanceOf(accountId), { prepaidMicros: 0, owedMicros: 6_000 })
})

test('a debit cannot take the balance below zero', async () => {
  const accountId = await account(5_000)
  const act = { accountId, amountMicros: 5_001, subject: `d:${accountId}`, at }
  await assert.rejects(
    as('operator', (tx) => debit(tx, act)),
    BalanceTooLow,
  )
  assert.equal(await as('operator', (tx) => debit(tx, { ...act, amountMicros: 5_000 })), 'done')
  assert.equal((await balanceOf(accountId)).prepaidMicros, 0)
})

test('money cannot be moved for an account without ledger accounts', async () => {
  const accountId = 'acct_00000000000000000000000000'
  const act = { accountId, amountMicros: 1, subject: 'nobody', at }
  await assert.rejects(as('operator', (tx) => debit(tx, act)))
})

test('verification streams every transfer, sums to zero, and names an account with a manipulated balance', async () => {
  const accountId = await account(77)
  const clean = await verifyTestLedger(database)
  assert.equal(clean.sum_micros, '0')
  assert.deepEqual(clean.differences, [])
  await roles.migrator.pool.query('update balances set prepaid_micros = 78 where account_id = $1', [accountId])
  const tampered = await verifyTestLedger(database)
  assert.deepEqual(tampered.differences, [
    { account_id: accountId, prepaid_micros: { kept: '78', entered: '77' }, owed_micros: { kept: '0', entered: '0' } },
  ])
  await roles.migrator.pool.query('update balances set prepaid_micros = 77 where account_id = $1', [accountId])
})
