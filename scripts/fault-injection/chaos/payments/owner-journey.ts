import { setTimeout as sleep } from 'node:timers/promises'
import { isProblem } from '../../../../clients/typescript/src/index.ts'
import { enqueue } from '../../../../src/jobs/enqueue.ts'
import { readBalance } from '../../../../src/ledger/balance.ts'
import { debit } from '../../../../src/ledger/deposits.ts'
import { type Database, inTransaction } from '../../../../src/platform/database/database.ts'
import { type ApiClient, openApiClient } from '../../../../tooling/clients/api-client.ts'
import { runOperator } from '../../../../tooling/environment/processes.ts'
import type { PaymentProvider } from '../../../../tooling/services/payment-provider/server.ts'
import { patienceMs, waitFor } from '../../../../tooling/services/state.ts'
import type { Environment } from '../environment.ts'
import { makeText } from '../traffic.ts'
import { type Person, signIn } from './owner-session.ts'
import { makeTrouble, type Plan, type Troubles } from './plan.ts'

export type Place = {
  environment: Environment
  accountPageUrl: string
  double: PaymentProvider
  /** Database connections for the owner page and for the operator. */
  db: Database
  operator: Database
  troubles: Troubles
}

/** The result of a run. A failed run has only the part that it completed. */
export type Played = {
  accountId: string
  paymentId: string
  clicks: number
  posts: number
  recharges: number
  /** The refund that the page promised; null if nobody asked or a dispute came first. */
  promisedMicros: number | null
  secondsToAccepted: number
}

const newcomer = { name: 'Harbour Notices', email: 'owner@example.com', accept_terms: true } as const

/** One agent and its owner, from the first 402 to the accepted post and the owner's later actions. */
export async function playOwner(place: Place, plan: Plan, played: Partial<Played>): Promise<void> {
  const startedAt = performance.now()
  const { environment, double, db, accountPageUrl } = place
  const settings = { baseUrl: environment.baseUrl, maxRetries: 50, timeoutMs: 15_000 }
  const account = await createAccount(settings)
  Object.assign(played, { accountId: account.id, posts: 0, recharges: 0, promisedMicros: null })
  const agent = openApiClient({ ...settings, apiKey: account.api_key })
  const post = postAs(agent, plan.number)
  if (await post(0)) throw new Error('a post was accepted without balance')
  const person = await signIn(db, accountPageUrl, account.id)
  makeTrouble(double, plan.random, place.troubles)
  const { session, times } = await person.sendToProvider('/account/top-up', { amount: String(plan.amountMicros) })
  const { intent, returnPath, paymentId } = await payOnPage(double, session, plan)
  Object.assign(played, { paymentId, clicks: times })
  await untilArrived(place, plan, { person, intentId: intent.id, returnPath })
  // Money that the page shows as received can be spent from that moment.
  if (!(await post(0))) throw new Error('a post was rejected after the page had shown the money as received')
  Object.assign(played, { posts: 1, secondsToAccepted: (performance.now() - startedAt) / 1_000 })

  if (plan.crossings > 0) await rechargeByPosts(place, plan, { person, post, played })
  if (plan.dispute?.meetsRefund && plan.asksBack) {
    await dispute(place, plan, intent.id, async () => askForRefund(person, await readRefundable(person)))
    return
  }
  if (plan.dispute) await dispute(place, plan, intent.id)
  if (plan.asksBack) await askBack(place, plan, { person, played })
}

/**
 * Without an idempotency key, the client does not retry calls that may have succeeded. A second account is harmless
 * here.
 */
async function createAccount(settings: Parameters<typeof openApiClient>[0]) {
  for (const until = performance.now() + patienceMs; ; await sleep(100))
    try {
      return (await openApiClient(settings).createAccount(newcomer)).body
    } catch (error) {
      if (performance.now() > until) throw error
    }
}

export type Post = (which: number) => Promise<boolean>

/**
 * Submits one of the run's posts; the same number always gives the same post. Returns false if the balance is too low.
 */
function postAs(agent: ApiClient, run: number): Post {
  const texts = new Map<number, string>()
  return async (which) => {
    // The post goes to review: this run tests payments, not pages.
    const text = texts.get(which) ?? `verdict-review ${makeText(run * 100 + which)}`
    texts.set(which, text)
    try {
      const options = { idempotencyKey: `chaos-payment-${run}-${which}` }
      return (await agent.submitPost({ text }, {}, options)).status === 202
    } catch (error) {
      if (!isProblem(error, 'insufficient_balance')) throw error
      return false
    }
  }
}

/** Pays on the provider's page, sometimes with a second card. Holds the provider's events if they are to be delayed. */
async function payOnPage(double: PaymentProvider, session: string, { random, told, isDeclinedFirst }: Plan) {
  const hold = !['at_once', 'twice'].includes(told)
  await sleep(random.below(300))
  if (isDeclinedFirst) {
    double.pay(session, { last4: '0002', hold })
    await sleep(random.below(300))
  }
  const paid = double.pay(session, { hold })
  const returnPath = new URL(paid.session.success_url).pathname
  return { intent: paid.intent, returnPath, paymentId: String(paid.intent.metadata['payment_id']) }
}

type Arrival = { person: Person; intentId: string; returnPath: string }

/** The provider sends its events in the chosen way while the owner looks at the return page. */
async function untilArrived(place: Place, plan: Plan, { person, intentId, returnPath }: Arrival): Promise<void> {
  const over = new AbortController()
  const looking = person.untilPageSays(returnPath, / has arrived$/).finally(() => over.abort())
  await Promise.all([looking, tell(place, plan, intentId, over.signal)])
}

async function tell(place: Place, { told, random }: Plan, intentId: string, over: AbortSignal): Promise<void> {
  const { webhooks } = place.double
  const own = { of: intentId }
  if (told === 'never') {
    webhooks.drop(own)
    return reconcile(place, over)
  }
  await sleep(random.below(800))
  if (told !== 'at_once' && told !== 'twice') return webhooks.release({ ...own, reverse: told === 'reversed' })
  if (told === 'at_once') return
  const events = webhooks.list().filter(({ body }) => body.includes(intentId))
  for (const { id } of events.reverse()) webhooks.deliverAgain(id)
}

/** No event will arrive, so the operator's command finds the payment. The provider may respond to it with a 500. */
async function reconcile({ environment }: Place, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    await runOperator(environment.settings, 'payments', 'reconcile')
    await sleep(3_000, undefined, { signal: over }).catch(() => {})
  }
}

const dollar = 1_000_000
/** One more post takes the balance below the threshold. */
const [thresholdMicros, nearMicros] = [dollar, dollar + 10_000]

const wish = {
  enabled: 'on',
  threshold: String(thresholdMicros),
  amount: String(5 * dollar),
  cap: String(50 * dollar),
}

type Turn = { person: Person; played: Partial<Played> }

/**
 * The owner saves a card and turns auto-recharge on; then posts, some concurrent, take the balance below the threshold.
 */
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
    if (accepted.includes(false)) throw new Error('a post was rejected although a dollar was left')
    played.posts = Number(played.posts) + numbers.length
    await untilRecharged(place, person.accountId, crossing)
  }
}

/** The operator reduces the balance, because spending a dollar would take fifty posts. */
async function spendUntilNear({ operator }: Place, accountId: string): Promise<void> {
  const amountMicros = (await readBalance(operator, accountId)).prepaidMicros - nearMicros
  const taken = { accountId, amountMicros, subject: `chaos:${crypto.randomUUID()}`, at: new Date() }
  await inTransaction(operator, (tx) => debit(tx, taken))
}

/**
 * If the API process was killed before it requested the recharge, the sweep requests it. The sweep runs every minute;
 * this run triggers it earlier.
 */
async function untilRecharged({ environment, operator }: Place, accountId: string, times: number): Promise<void> {
  let looks = 0
  const isRecharged = async () => {
    await sleep(200)
    if (++looks % 25 === 0) await inTransaction(operator, (tx) => enqueue(tx, 'ask-for-recharges', {}))
    const [row] = await environment.query<{ count: number }>(
      `select count(*) from payments where account_id = $1 and cause = 'recharge' and status = 'paid'`,
      [accountId],
    )
    return Number(row?.count) >= times
  }
  await waitFor(isRecharged, `recharge ${times} of ${accountId}`)
}

/** The cardholder disputes the payment, and the bank decides. `beside` happens at about the same time. */
export async function dispute(
  { double, environment }: Place,
  plan: Plan,
  intentId: string,
  beside?: () => Promise<unknown>,
) {
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
    const [row] = await environment.query<{ status: string }>(
      'select status from payment_disputes where reference = $1',
      [id],
    )
    return row?.status === outcome
  }
  await waitFor(isClosed, `the dispute ${id} to be ${outcome}`)
}

/** The owner reads the refundable amount and requests it. */
export async function askBack({ double, troubles }: Place, { random }: Plan, { person, played }: Turn): Promise<void> {
  played.promisedMicros = await readRefundable(person)
  makeTrouble(double, random, troubles)
  await askForRefund(person, played.promisedMicros)
}

async function readRefundable(person: Person): Promise<number> {
  const title = await person.untilPageSays('/account/refund', /./)
  const [, dollars] = /^Refund \$([\d.]+)\?$/.exec(title) ?? []
  return Math.round(Number(dollars ?? 0) * dollar)
}

const askForRefund = async (person: Person, micros: number) =>
  micros > 0 && person.send('/account/refund', { amount_micros: String(micros) })
