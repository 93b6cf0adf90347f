import assert from 'node:assert/strict'
import fc from 'fast-check'
import { charge, refund } from '../../../src/ledger/charges.ts'
import { credit, debit } from '../../../src/ledger/deposits.ts'
import { penalty } from '../../../src/ledger/split-transfers.ts'
import { BalanceTooLow, type Booked, RefundTooLarge } from '../../../src/ledger/transfers.ts'
import {
  type Database,
  inTransaction,
  isDatabaseUnavailable,
  isLockTimeout,
  type Transaction,
} from '../../../src/platform/database/database.ts'
import { newId } from '../../../src/platform/identifiers.ts'

const at = new Date('2026-11-15T12:00:00Z')

type Act = { accountId: string; amountMicros: number; subject: string; at: Date }
const acts = {
  charge: (tx: Transaction, act: Act) => charge(tx, { ...act, keyId: null, reason: 'post' }),
  refund,
  penalty,
  credit,
  debit,
}
type ActName = keyof typeof acts

export type Step = { act: ActName; account: number; subject: number; copies: number }
export type Sequence = { amounts: number[]; steps: Step[] }

const subjects = 4
/** The number of concurrent steps, each in up to three copies; then the next ones follow. */
const waveSteps = 5

/**
 * Steps over two accounts with few subjects and small amounts, so that they collide, repeat and run out of money. The
 * price of a subject is fixed, like the price of a post: a retry has the same amount.
 */
export const sequence: fc.Arbitrary<Sequence> = fc.record({
  amounts: fc.array(fc.integer({ min: 1, max: 50 }), { minLength: subjects, maxLength: subjects }),
  steps: fc.array(
    fc.record({
      act: fc.constantFrom<ActName>('charge', 'charge', 'refund', 'refund', 'penalty', 'credit', 'credit', 'debit'),
      account: fc.nat({ max: 1 }),
      subject: fc.nat({ max: subjects - 1 }),
      copies: fc.integer({ min: 1, max: 3 }),
    }),
    { minLength: 5, maxLength: 15 },
  ),
})

type Outcome = Booked | 'refused'
type Played = { step: Step; amountMicros: number; outcomes: Outcome[] }

/** Runs the steps wave by wave, every copy of a step as a separate caller, and returns the result of each caller. */
export async function play(db: Database, accounts: readonly string[], { amounts, steps }: Sequence): Promise<Played[]> {
  const played: Played[] = []
  for (let first = 0; first < steps.length; first += waveSteps) {
    const wave = steps.slice(first, first + waveSteps)
    played.push(...(await Promise.all(wave.map((step) => playStep(db, accounts, step, Number(amounts[step.subject]))))))
  }
  return played
}

async function playStep(db: Database, accounts: readonly string[], step: Step, amountMicros: number): Promise<Played> {
  const act = { accountId: String(accounts[step.account]), amountMicros, subject: subjectOf(accounts, step), at }
  const copies = Array.from({ length: step.copies }, () => untilAnswered(db, step.act, act))
  return { step, amountMicros, outcomes: await Promise.all(copies) }
}

const subjectOf = (accounts: readonly string[], { account, subject }: Step) => `${accounts[account]}:${subject}`

/**
 * A lost connection means "unknown", not "failed", and a lock that took too long to get means "not done": the caller
 * retries with the same subject, as a client would.
 */
async function untilAnswered(db: Database, name: ActName, act: Act): Promise<Outcome> {
  for (let tries = 0; tries < 200; tries++) {
    try {
      return await inTransaction(db, (tx) => acts[name](tx, act))
    } catch (error) {
      if (error instanceof BalanceTooLow || error instanceof RefundTooLarge) return 'refused'
      if (!isDatabaseUnavailable(error) && !isLockTimeout(error)) throw error
    }
  }
  throw new Error('no answer in 200 tries')
}

/** Two new accounts with some money each. */
export async function openAccounts(db: Database, { prepaidMicros }: { prepaidMicros: number }): Promise<string[]> {
  const ids = [newId('acct', at), newId('acct', at)]
  const row = { name: 'n', email: 'e@example.com', policy_version: 'p', created_at: at }
  await inTransaction(db, async (tx) => {
    await tx
      .insertInto('accounts')
      .values(ids.map((id) => ({ id, ...row })))
      .execute()
    await tx
      .insertInto('balances')
      .values(ids.map((account_id) => ({ account_id })))
      .execute()
    for (const accountId of prepaidMicros > 0 ? ids : [])
      await credit(tx, { accountId, amountMicros: prepaidMicros, subject: `opening:${accountId}`, at })
  })
  return ids
}

const reasonOf = (act: ActName) => (act === 'charge' ? 'post' : act)

/** Fails unless the ledger of these accounts matches what their callers were told, once each. */
export async function assertLedger(
  db: Database,
  accounts: readonly string[],
  played: readonly Played[],
): Promise<void> {
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

/** Credits and penalties are never refused; the rest only if money is missing, which the ledger alone cannot show. */
const mayBeRefused: ReadonlySet<ActName> = new Set<ActName>(['charge', 'refund', 'debit'])

function assertOnce(purpose: string, group: readonly Played[], transfers: readonly TransferRow[]) {
  const booked = transfers
    .filter(({ reason, subject }) => `${reason} ${subject}` === purpose)
    .reduce((sum, { amount_micros }) => sum + amount_micros, 0)
  const outcomes = group.flatMap((one) => one.outcomes)
  const done = outcomes.filter((outcome) => outcome === 'done').length
  const isRefused = outcomes.every((outcome) => outcome === 'refused')
  assert.ok(done <= 1, `${purpose} was done more than once`)
  assert.ok(!isRefused || group.every(({ step }) => mayBeRefused.has(step.act)), `${purpose} was refused`)
  assert.equal(booked, isRefused ? 0 : group[0]?.amountMicros, `${purpose} is not what its callers were told`)
}

/** How often callers got `done`, by action: a ledger that refuses everything would pass every other check. */
export function countDone(played: readonly Played[], counts: Map<string, number>): void {
  for (const { step, outcomes } of played)
    counts.set(step.act, (counts.get(step.act) ?? 0) + outcomes.filter((outcome) => outcome === 'done').length)
}
