import assert from 'node:assert/strict'
import fc from 'fast-check'
import { BalanceTooLow, type Booked } from '../../src/ledger/book-transfer.ts'
import { charge } from '../../src/ledger/charge.ts'
import { credit, debit } from '../../src/ledger/credit.ts'
import { penalty } from '../../src/ledger/penalty.ts'
import { refund } from '../../src/ledger/refund.ts'
import { type Database, inTransaction, isDatabaseUnavailable, type Transaction } from '../../src/platform/database.ts'
import { newId } from '../../src/platform/identifiers.ts'

const at = new Date('2026-11-15T12:00:00Z')

type Act = { accountId: string; amountMicros: number; subject: string; at: Date }
const acts = {
  charge: (tx: Transaction, act: Act) => charge(tx, { ...act, reason: 'post' }),
  refund,
  penalty,
  credit,
  debit,
}
type ActName = keyof typeof acts

export type Step = { act: ActName; account: number; amountMicros: number; subject: number; copies: number }

/** Steps over two accounts with few subjects and small amounts, so that they collide, repeat and run out of money. */
export const sequence: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    act: fc.constantFrom<ActName>('charge', 'charge', 'charge', 'refund', 'penalty', 'credit', 'credit', 'debit'),
    account: fc.nat({ max: 1 }),
    amountMicros: fc.integer({ min: 1, max: 50 }),
    subject: fc.nat({ max: 5 }),
    copies: fc.integer({ min: 1, max: 3 }),
  }),
  { minLength: 4, maxLength: 14 },
)

type Outcome = Booked | 'refused'
type Played = { step: Step; outcomes: Outcome[] }

/** Plays all steps at once, every copy of a step as its own caller, and returns what each caller was told. */
export async function play(db: Database, accounts: readonly string[], steps: readonly Step[]): Promise<Played[]> {
  return Promise.all(
    steps.map(async (step) => {
      const act = {
        accountId: String(accounts[step.account]),
        amountMicros: step.amountMicros,
        subject: subjectOf(accounts, step),
        at,
      }
      const copies = Array.from({ length: step.copies }, () => untilAnswered(db, step.act, act))
      return { step, outcomes: await Promise.all(copies) }
    }),
  )
}

const subjectOf = (accounts: readonly string[], { account, subject }: Step) => `${accounts[account]}:${subject}`

/** A lost connection means "unknown", not "failed": the caller asks again with the same subject, as a client would. */
async function untilAnswered(db: Database, name: ActName, act: Act): Promise<Outcome> {
  for (let tries = 0; tries < 200; tries++) {
    try {
      return await inTransaction(db, (tx) => acts[name](tx, act))
    } catch (error) {
      if (error instanceof BalanceTooLow) return 'refused'
      if (!isDatabaseUnavailable(error)) throw error
    }
  }
  throw new Error('no answer in 200 tries')
}

export async function openAccounts(db: Database): Promise<string[]> {
  const ids = [newId('acct', at), newId('acct', at)]
  const row = { name: 'n', email: 'e@example.com', policy_version: 'p', created_at: at }
  for (let tries = 0; tries < 200; tries++) {
    try {
      await inTransaction(db, async (tx) => {
        await tx
          .insertInto('accounts')
          .values(ids.map((id) => ({ id, ...row })))
          .onConflict((on) => on.doNothing())
          .execute()
        await tx
          .insertInto('balances')
          .values(ids.map((account_id) => ({ account_id })))
          .onConflict((on) => on.doNothing())
          .execute()
      })
      return ids
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
    }
  }
  throw new Error('no answer in 200 tries')
}

const reasonOf = (act: ActName) => (act === 'charge' ? 'post' : act)

/** Fails unless the books of these accounts are what their callers were told, once each. */
export async function assertBooks(db: Database, accounts: readonly string[], played: readonly Played[]): Promise<void> {
  const transfers = await db.selectFrom('ledger_transfers').selectAll().where('account_id', 'in', accounts).execute()
  const balances = await db.selectFrom('balances').selectAll().where('account_id', 'in', accounts).execute()
  for (const balance of balances) {
    const own = transfers.filter(({ account_id }) => account_id === balance.account_id)
    const total = (book: 'prepaid' | 'owed') =>
      own.reduce(
        (sum, { from_book, to_book, amount_micros }) =>
          sum + (Number(to_book === book) - Number(from_book === book)) * amount_micros,
        0,
      )
    assert.equal(balance.prepaid_micros, total('prepaid'), 'the balance is the sum of its entries')
    assert.equal(balance.owed_micros + total('owed'), 0, 'the debt is the sum of its entries')
    assert.ok(balance.prepaid_micros >= 0 && balance.owed_micros >= 0, 'nothing is negative')
  }
  const groups = Map.groupBy(played, ({ step }) => `${reasonOf(step.act)} ${subjectOf(accounts, step)}`)
  for (const [purpose, group] of groups) assertOnce(purpose, group, transfers)
}

type TransferRow = { reason: string; subject: string; amount_micros: number }

function assertOnce(purpose: string, group: readonly Played[], transfers: readonly TransferRow[]) {
  const rows = transfers.filter(({ reason, subject }) => `${reason} ${subject}` === purpose)
  const outcomes = group.flatMap((one) => one.outcomes)
  const booked = rows.reduce((sum, { amount_micros }) => sum + amount_micros, 0)
  assert.ok(outcomes.filter((outcome) => outcome === 'done').length <= 1, `${purpose} was done more than once`)
  if (outcomes.every((outcome) => outcome === 'refused'))
    return assert.equal(booked, 0, `${purpose} was refused and booked`)
  assert.ok(
    group.some(({ step }) => step.amountMicros === booked),
    `${purpose} booked ${booked}, which nobody asked for`,
  )
}
