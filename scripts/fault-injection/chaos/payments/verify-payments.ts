import { setTimeout as sleep } from 'node:timers/promises'
import { refundableMicros } from '../../../../src/payments/refunds/refund-balance.ts'
import { runOperator } from '../../../../tooling/environment/processes.ts'
import type { PaymentProvider } from '../../../../tooling/services/payment-provider/server.ts'
import type { Environment } from '../environment.ts'
import type { Place, Played } from './owner-journey.ts'

const microsPerCent = 10_000
/** The number of violations that are listed by name. */
const maxNamed = 20

/** Waits until the provider has sent all events and no payment job is left. Returns false after the time limit. */
export async function untilAllBooked(
  { query }: Environment,
  double: PaymentProvider,
  withinMs: number,
): Promise<boolean> {
  const deadline = performance.now() + withinMs
  await Promise.race([double.webhooks.settled(), sleep(withinMs, undefined, { ref: false })])
  while (performance.now() < deadline) {
    const [row] = await query<{ left: number }>(`
      select count(*) as left from pgboss.job_common
      where name in ('settle-payment', 'send-refund', 'read-card', 'recharge-balance') and state < 'completed'`)
    if (row?.left === 0) return true
    await sleep(100)
  }
  return false
}

type Guarantee = { says: string; breaches: string }

/**
 * Each query finds violations of the guarantee. `taken`, `sent_back` and `disputed` are the provider's records;
 * `played` has the results of the runs.
 */
const guarantees: readonly Guarantee[] = [
  {
    says: 'every payment that the provider received is in the ledger exactly once, with its amount',
    breaches: `
      select taken.id from taken left join ledger_transfers top_up
        on top_up.subject = taken.id and top_up.reason = 'top_up' and top_up.amount_micros = taken.micros
      group by taken.id having count(top_up.id) <> 1`,
  },
  {
    says: 'the ledger has no payment that the provider did not receive',
    breaches: `select subject from ledger_transfers where reason = 'top_up' and subject not in (select id from taken)`,
  },
  {
    says: 'exactly the payments that succeeded at the provider are marked as paid',
    breaches: `select id from payments where (status = 'paid') <> (id in (select id from taken))`,
  },
  {
    says: 'no card was charged twice for one payment',
    breaches: 'select id from taken group by id having count(*) > 1 or sum(charges) > 1',
  },
  {
    says: 'every owner paid once, and was recharged once for each time the balance ran low',
    breaches: `
      select played.account_id from played
      left join payments on payments.account_id = played.account_id and payments.id in (select id from taken)
      group by played.account_id, played.recharges
      having count(payments.id) filter (where cause = 'top_up') <> 1
        or count(payments.id) filter (where cause = 'recharge') <> played.recharges`,
  },
  {
    says: 'every post was charged once',
    breaches: `select posts.id from posts left join ledger_transfers charge on charge.subject = posts.id
      and charge.reason = 'post' group by posts.id having count(charge.id) <> 1`,
  },
  {
    says: 'every requested refund was sent once, unless a dispute prevented it',
    breaches: `
      select refund.id from payment_refunds refund left join sent_back on sent_back.id = refund.id
      group by refund.id
      having not (status = 'succeeded' and count(sent_back.id) = 1 and min(sent_back.micros) = refund.amount_micros)
        and not (status = 'failed' and count(sent_back.id) = 0 and payment_id in (select payment_id from disputed))`,
  },
  {
    says: 'no refund was sent without a request',
    breaches: 'select id from sent_back where id not in (select id from payment_refunds)',
  },
  {
    says: 'every owner who asked for the balance gets the amount that the page showed',
    breaches: `
      select played.account_id from played
      left join payments on payments.account_id = played.account_id
      left join payment_refunds refund on refund.payment_id = payments.id
      where played.promised_micros is not null
      group by played.account_id, played.promised_micros
      having coalesce(sum(refund.amount_micros), 0) <> played.promised_micros`,
  },
  {
    says: 'every dispute ended in our database as it ended at the provider',
    breaches: `
      select disputed.id from disputed left join payment_disputes known on known.reference = disputed.id
      where known.payment_id is distinct from disputed.payment_id or known.status::text <> disputed.status`,
  },
]

/** Every violated guarantee, with the affected accounts. */
export async function verifyPayments(place: Place, all: readonly Partial<Played>[]) {
  const { environment, double } = place
  const runs = all.filter((one): one is Played => one.secondsToAccepted !== undefined)
  const takings = await noteTakings(place, runs)
  const faults: string[] = []
  for (const { says, breaches } of guarantees) {
    const rows = await environment.query<Record<string, string>>(breaches)
    const names = rows.slice(0, maxNamed).map((row) => Object.values(row)[0])
    if (rows.length > 0) faults.push(`violated: ${says} (${rows.length} times: ${names.join(', ')})`)
  }
  const [books] = await environment.query<{ clearing: number; disputed: number; posts: number }>(`
    select (select coalesce(sum(amount_micros), 0)::bigint from ledger_entries where book = 'provider_clearing') as clearing,
      (select coalesce(sum(amount_micros), 0)::bigint from ledger_entries where book = 'disputed') as disputed,
      (select count(*) from posts) as posts`)
  if (Number(books?.clearing) !== -takings)
    faults.push(`the provider holds ${takings}, but the ledger says ${-Number(books?.clearing)}`)
  if (Number(books?.disputed) !== 0) faults.push(`${books?.disputed} are still reserved for disputes that have ended`)
  const posts = runs.reduce((sum, one) => sum + one.posts, 0)
  if (Number(books?.posts) !== posts) faults.push(`${books?.posts} of ${posts} posts were accepted`)
  faults.push(...(await findLeftovers(place, runs)), ...(await askOperator(environment)))
  const events = double.webhooks.list()
  const figures = {
    payments: double.list('payment_intent').filter(({ status }) => status === 'succeeded').length,
    recharges: runs.reduce((sum, one) => sum + one.recharges, 0),
    refunds: double.list('refund').length,
    disputes: double.list('dispute').length,
    posts,
    events: events.length,
    attempts_to_tell: events.reduce((sum, { attempts }) => sum + attempts, 0),
    takings_micros: takings,
  }
  return { figures, faults }
}

/** Loads the provider's records next to ours, and returns the amount it holds. */
async function noteTakings({ environment, double }: Place, runs: readonly Played[]): Promise<number> {
  const intents = double.list('payment_intent').filter(({ status }) => status === 'succeeded')
  const charges = double.list('charge').filter(({ status }) => status === 'succeeded')
  const paymentOf = new Map(intents.map(({ id, metadata }) => [id, metadata['payment_id']]))
  const refunds = double.list('refund').filter(({ status }) => status !== 'failed')
  const disputes = double.list('dispute')
  const micros = ({ amount }: { amount: number }) => amount * microsPerCent
  const note = (table: string, columns: string, rows: readonly object[]) =>
    environment.query(`create table ${table} as select * from json_to_recordset($1) as noted(${columns})`, [
      JSON.stringify(rows),
    ])
  await note(
    ...(['taken', 'id text, micros bigint, charges int'] as const),
    intents.map(({ id, metadata, amount_received }) => ({
      ...{ id: metadata['payment_id'], micros: micros({ amount: amount_received }) },
      charges: charges.filter(({ payment_intent }) => payment_intent === id).length,
    })),
  )
  await note(
    ...(['sent_back', 'id text, micros bigint'] as const),
    refunds.map((refund) => ({ id: refund.metadata['refund_id'] ?? refund.id, micros: micros(refund) })),
  )
  await note(
    ...(['disputed', 'id text, payment_id text, status text'] as const),
    disputes.map(({ id, payment_intent, status }) => ({ id, payment_id: paymentOf.get(payment_intent), status })),
  )
  await note(
    ...(['played', 'account_id text, recharges int, promised_micros bigint'] as const),
    runs.map(({ accountId, recharges, promisedMicros }) => ({
      ...{ account_id: accountId, recharges, promised_micros: promisedMicros },
    })),
  )
  const lost = disputes.filter(({ status }) => status === 'lost')
  const sum = (things: readonly { amount: number }[]) => things.reduce((total, one) => total + micros(one), 0)
  return sum(intents) - sum(refunds) - sum(lost)
}

/** Owners who withdrew the balance have no refundable cent left. */
async function findLeftovers({ operator }: Place, runs: readonly Played[]): Promise<string[]> {
  const left: string[] = []
  for (const { accountId, promisedMicros } of runs)
    if (promisedMicros !== null && (await refundableMicros(operator, accountId)) > 0) left.push(accountId)
  const named = left.slice(0, maxNamed).join(', ')
  return left.length > 0 ? [`${left.length} owners withdrew their balance but still have some left: ${named}`] : []
}

async function askOperator({ settings }: Environment): Promise<string[]> {
  const commands = [
    ['ledger', 'verify'],
    ['payments', 'reconcile'],
  ]
  const faults = commands.map(async (command) => {
    const { code, stdout, stderr } = await runOperator(settings, ...command)
    return code === 0 ? [] : [`${command.join(' ')} failed: ${stderr.trim()} ${stdout.trim().slice(0, 2_000)}`]
  })
  return (await Promise.all(faults)).flat()
}
