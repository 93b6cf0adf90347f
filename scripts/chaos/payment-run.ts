import { setTimeout as sleep } from 'node:timers/promises'
import { Broadside, isProblem } from '../../client/src/index.ts'
import type { Database } from '../../src/platform/database.ts'
import { runOperator } from '../../test/support/processes.ts'
import type { PaymentProvider } from '../services/payment-provider/server.ts'
import { patienceMs } from '../services/state.ts'
import { type Person, signIn } from './payment-owner.ts'
import { makeTrouble, type Plan, type Troubles } from './payment-plan.ts'
import { askBack, dispute, rechargeByPosts } from './payment-turns.ts'
import type { Stage } from './stage.ts'
import { makeText } from './traffic.ts'

export type Place = {
  stage: Stage
  accountPageUrl: string
  double: PaymentProvider
  /** As the owner page, and as the operator. */
  db: Database
  operator: Database
  troubles: Troubles
}

/** What a run has come to. Of one that broke, the part that it has reached. */
export type Played = {
  accountId: string
  paymentId: string
  clicks: number
  posts: number
  recharges: number
  /** What the owner was told to get back; null when nobody asked, or a dispute came between. */
  promisedMicros: number | null
  secondsToAccepted: number
}

const newcomer = { name: 'Harbour Notices', email: 'owner@example.com', accept_terms: true } as const

/** One agent and its owner, from the first 402 to the post that was accepted, and what the owner does then. */
export async function playOwner(place: Place, plan: Plan, played: Partial<Played>): Promise<void> {
  const startedAt = performance.now()
  const { stage, double, db, accountPageUrl } = place
  const settings = { baseUrl: stage.baseUrl, maxRetries: 50, timeoutMs: 15_000 }
  const account = await createAccount(settings)
  Object.assign(played, { accountId: account.id, posts: 0, recharges: 0, promisedMicros: null })
  const agent = new Broadside({ ...settings, apiKey: account.api_key })
  const post = postAs(agent, plan.number)
  if (await post(0)) throw new Error('a post without balance was accepted')
  const person = await signIn(db, accountPageUrl, account.id)
  makeTrouble(double, plan.random, place.troubles)
  const { session, times } = await person.sendToProvider('/account/top-up', { amount: String(plan.amountMicros) })
  const { intent, returnPath, paymentId } = await payOnPage(double, session, plan)
  Object.assign(played, { paymentId, clicks: times })
  await untilArrived(place, plan, { person, intentId: intent.id, returnPath })
  // What the owner is told has arrived can be spent from that moment.
  if (!(await post(0))) throw new Error('a post was refused though its owner was told that the money has arrived')
  Object.assign(played, { posts: 1, secondsToAccepted: (performance.now() - startedAt) / 1_000 })

  if (plan.crossings > 0) await rechargeByPosts(place, plan, { person, post, played })
  if (plan.dispute?.meetsRefund && plan.asksBack) {
    await dispute(place, plan, intent.id, () => person.send('/account/refund'))
    return
  }
  if (plan.dispute) await dispute(place, plan, intent.id)
  if (plan.asksBack) await askBack(place, plan, { person, played })
}

/** Without a key, the client tries nothing again that may have been done: another account does no harm here. */
async function createAccount(settings: ConstructorParameters<typeof Broadside>[0]) {
  for (const until = performance.now() + patienceMs; ; await sleep(100))
    try {
      return (await new Broadside(settings).createAccount(newcomer)).body
    } catch (error) {
      if (performance.now() > until) throw error
    }
}

export type Post = (which: number) => Promise<boolean>

/** Submits one of the run's posts, always the same under its number. False when the balance does not reach. */
function postAs(agent: Broadside, run: number): Post {
  const texts = new Map<number, string>()
  return async (which) => {
    // A person is to look at it: what is tried here are payments, not pages.
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

/** Pays on the provider's page, some with a second card. What the provider has to tell of it is held if it is to wait. */
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

/** The provider tells of it in its manner, while the owner looks at the page that the provider led back to. */
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

/** Nobody will tell: the operator's command finds the payment. The provider may answer it by a 500. */
async function reconcile({ stage }: Place, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    await runOperator(stage.settings, 'payments', 'reconcile')
    await sleep(3_000, undefined, { signal: over }).catch(() => {})
  }
}
