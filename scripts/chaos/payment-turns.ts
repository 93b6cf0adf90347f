import { setTimeout as sleep } from 'node:timers/promises'
import { enqueue } from '../../src/jobs/enqueue.ts'
import { readBalance } from '../../src/ledger/balance.ts'
import { debit } from '../../src/ledger/credit.ts'
import { inTransaction } from '../../src/platform/database.ts'
import { waitFor } from '../services/state.ts'
import type { Person } from './payment-owner.ts'
import { makeTrouble, type Plan } from './payment-plan.ts'
import type { Place, Played, Post } from './payment-run.ts'

const dollar = 1_000_000
/** One post more, and the balance is below the threshold. */
const [thresholdMicros, nearMicros] = [dollar, dollar + 10_000]

const wish = {
  enabled: 'on',
  threshold: String(thresholdMicros),
  amount: String(5 * dollar),
  cap: String(50 * dollar),
}

type Turn = { person: Person; played: Partial<Played> }

/** The owner leaves a card and turns auto-recharge on; then posts, some at once, take the balance below the threshold. */
export async function rechargeByPosts(place: Place, plan: Plan, { person, played, post }: Turn & { post: Post }) {
  const { double, troubles } = place
  const { random, crossings } = plan
  const { session } = await person.sendToProvider('/account/card')
  double.leaveCard(session)
  await person.untilPageSays('/account/card', /^Your card is on file$/)
  await spendUntilNear(place, person.accountId)
  await person.send('/account/auto-recharge', wish)
  for (let crossing = 1; crossing <= crossings; crossing++) {
    if (crossing > 1) await spendUntilNear(place, person.accountId)
    makeTrouble(double, random, troubles)
    const numbers = Array.from({ length: 1 + random.below(3) }, (_, at) => crossing * 10 + at)
    played.recharges = crossing
    const accepted = await Promise.all(numbers.map(post))
    if (accepted.includes(false)) throw new Error('a post was refused though a dollar was left')
    played.posts = Number(played.posts) + numbers.length
    await untilRecharged(place, person.accountId, crossing)
  }
}

/** As the operator: to spend a dollar takes fifty posts. */
async function spendUntilNear({ operator }: Place, accountId: string): Promise<void> {
  const amountMicros = (await readBalance(operator, accountId)).prepaidMicros - nearMicros
  const taken = { accountId, amountMicros, subject: `chaos:${crypto.randomUUID()}`, at: new Date() }
  await inTransaction(operator, (tx) => debit(tx, taken))
}

/** An API process that was killed has not asked for it: the sweep does, which comes every minute, and sooner here. */
async function untilRecharged({ stage, operator }: Place, accountId: string, times: number): Promise<void> {
  let looks = 0
  const isRecharged = async () => {
    await sleep(200)
    if (++looks % 25 === 0) await inTransaction(operator, (tx) => enqueue(tx, 'ask-for-recharges', {}))
    const [row] = await stage.query<{ count: number }>(
      `select count(*) from payments where account_id = $1 and cause = 'recharge' and status = 'paid'`,
      [accountId],
    )
    return Number(row?.count) >= times
  }
  await waitFor(isRecharged, `recharge ${times} of ${accountId}`)
}

/** The owner of the card wants the money back, and the bank decides. `beside` happens at about the same time. */
export async function dispute({ double, stage }: Place, plan: Plan, intentId: string, beside?: () => Promise<unknown>) {
  const { random } = plan
  const outcome = plan.dispute?.outcome ?? 'won'
  const doing = sleep(random.below(200)).then(beside)
  await sleep(random.below(200))
  const { id } = double.dispute(intentId)
  await doing
  await sleep(random.below(400))
  double.closeDispute(id, outcome)
  const isClosed = async () => {
    await sleep(200)
    const [row] = await stage.query<{ status: string }>('select status from payment_disputes where reference = $1', [
      id,
    ])
    return row?.status === outcome
  }
  await waitFor(isClosed, `the dispute ${id} to be ${outcome}`)
}

/** The owner reads what would come back, and asks for it. */
export async function askBack({ double, troubles }: Place, { random }: Plan, { person, played }: Turn): Promise<void> {
  const title = await person.untilPageSays('/account/refund', /./)
  const [, dollars] = /^Send \$([\d.]+) back\?$/.exec(title) ?? []
  played.promisedMicros = Math.round(Number(dollars ?? 0) * dollar)
  if (played.promisedMicros === 0) return
  makeTrouble(double, random, troubles)
  await person.send('/account/refund')
}
