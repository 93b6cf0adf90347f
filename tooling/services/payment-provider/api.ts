import { z } from 'zod'
import { type Actions, type Parts, secondsOf } from './actions.ts'
import { type Dispute, type Intent, type Kind, make, type Refund, Refusal, refused, type Thing } from './objects.ts'
import type { Store } from './store.ts'

export type Fields = { [name: string]: string | Fields }

/** Stripe's encoding of nested values: `a[b][0]=c`. Lists become objects with numeric keys. */
export function readForm(text: string): Fields {
  const fields: Fields = {}
  for (const [path, value] of new URLSearchParams(text)) {
    const [last = '', ...outer] = path
      .split(/[[\]]+/)
      .filter(Boolean)
      .reverse()
    if (path.includes('__proto__')) continue
    let place = fields
    for (const name of outer.reverse()) {
      const next = place[name]
      place = place[name] = typeof next === 'object' ? next : {}
    }
    place[last] = value
  }
  return fields
}

type Route = {
  method: 'GET' | 'POST' | 'DELETE'
  path: RegExp
  input: z.ZodType
  run: (input: never, id: string) => object
}

const metadata = z.record(z.string(), z.string()).default({})
const cents = z.coerce.number().int().min(1).max(99_999_999)
/** A list in form encoding. */
const listOf = (word: z.ZodType<string>) => z.record(z.string(), word).transform((items) => Object.values(items))
const expand = listOf(z.string()).optional()
const onlyCards = listOf(z.literal('card'))
const page = {
  limit: z.coerce.number().int().min(1).max(100).default(10),
  starting_after: z.string().optional(),
  expand,
}
const created = z
  .strictObject({ gte: z.coerce.number().int().optional(), lt: z.coerce.number().int().optional() })
  .default({})
const flag = z.enum(['true', 'false']).transform((word) => word === 'true')
const webAddress = z.url({ protocol: /^https?$/ })
const nothing = z.strictObject({ expand })

/** As strict as Stripe: parameters that are not listed here are rejected. */
const inputs = {
  customer: z.strictObject({ email: z.email().optional(), metadata }),
  session: z.strictObject({
    mode: z.enum(['payment', 'setup']),
    customer: z.string(),
    client_reference_id: z.string().nullable().default(null),
    currency: z.literal('usd').optional(),
    line_items: z
      .strictObject({
        0: z.strictObject({
          quantity: z.literal('1'),
          price_data: z.strictObject({
            currency: z.literal('usd'),
            unit_amount: cents,
            product_data: z.strictObject({ name: z.string().min(1) }),
          }),
        }),
      })
      .optional(),
    allowed_payment_method_types: onlyCards,
    adaptive_pricing: z.strictObject({ enabled: flag }).optional(),
    invoice_creation: z.strictObject({ enabled: flag }).optional(),
    metadata,
    payment_intent_data: z.strictObject({ metadata }).optional(),
    setup_intent_data: z.strictObject({ metadata }).optional(),
    success_url: webAddress,
    cancel_url: webAddress,
  }),
  intent: z.strictObject({
    amount: cents,
    currency: z.literal('usd'),
    customer: z.string(),
    payment_method: z.string(),
    allowed_payment_method_types: onlyCards,
    off_session: z.literal('true'),
    confirm: z.literal('true'),
    description: z.string().optional(),
    metadata,
  }),
  cancel: z.strictObject({ cancellation_reason: z.enum(['abandoned', 'duplicate']).optional(), expand }),
  refund: z.strictObject({
    payment_intent: z.string(),
    amount: cents.optional(),
    reason: z.enum(['duplicate', 'fraudulent', 'requested_by_customer']).optional(),
    metadata,
  }),
  intents: z.strictObject({ ...page, customer: z.string().optional(), created }),
  ofIntent: z.strictObject({ ...page, payment_intent: z.string().optional(), created }),
  methods: z.strictObject({ ...page, type: z.literal('card').optional() }),
}

/** A request to the double's API and its response. */
export function apiOn(parts: Parts, actions: Actions) {
  const routes = [...peopleRoutes(parts, actions), ...moneyRoutes(parts, actions)]
  return ({ method, path, body }: { method: string; path: string; body: string }): object => {
    const url = new URL(path, 'http://double')
    for (const route of routes) {
      const match = route.method === method ? route.path.exec(url.pathname) : null
      if (!match) continue
      const fields = readForm(method === 'POST' ? body : url.search)
      const read = route.input.safeParse(fields)
      if (!read.success) throw unfit(read.error)
      const answer = route.run(read.data as never, match[1] ?? '')
      return expanded(parts.store, answer, fields)
    }
    throw refused(404, undefined, `Unrecognized request URL (${method}: ${url.pathname}).`)
  }
}

function unfit({ issues }: z.ZodError): Refusal {
  const [issue] = issues
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys : []
  const param = [...(issue?.path ?? []), ...unknown.slice(0, 1)].join('.')
  const code = unknown.length > 0 ? 'parameter_unknown' : 'parameter_invalid'
  return refused(400, code, `${issue?.message}: ${param}`, { param })
}

const route = <Input extends z.ZodType>(
  method: Route['method'],
  path: string,
  input: Input,
  run: (input: z.output<Input>, id: string) => object,
): Route => ({ method, path: new RegExp(`^/v1/${path.replace(':id', '([\\w]+)')}$`), input, run })

function peopleRoutes({ store, now }: Parts, { detach }: Actions): Route[] {
  const customer = (id: string) => found(store, 'customer', id)
  return [
    route('POST', 'customers', inputs.customer, ({ email = null, metadata }) =>
      store.put(make('customer', secondsOf(now), { email, metadata })),
    ),
    route('POST', 'customers/:id', inputs.customer, ({ email }, id) =>
      Object.assign(customer(id), email === undefined ? {} : { email }),
    ),
    route('DELETE', 'customers/:id', nothing, (_, id) => {
      for (const card of store.list('payment_method')) if (card.customer === customer(id).id) detach(card)
      store.remove(id)
      return { id, object: 'customer', deleted: true }
    }),
    route('GET', 'customers/:id/payment_methods', inputs.methods, (input, id) =>
      pageOf(
        store.list('payment_method').filter((card) => card.customer === customer(id).id),
        input,
      ),
    ),
    route('GET', 'payment_methods/:id', nothing, (_, id) => found(store, 'payment_method', id)),
    route('POST', 'payment_methods/:id/detach', nothing, (_, id) => detach(found(store, 'payment_method', id))),
  ]
}

function moneyRoutes({ store }: Parts, actions: Actions): Route[] {
  return [
    route('POST', 'checkout/sessions', inputs.session, (input) => {
      const { mode, metadata, success_url, cancel_url, client_reference_id } = input
      const amount_total = input.line_items?.[0].price_data.unit_amount ?? null
      if ((mode === 'payment') !== (amount_total !== null)) throw refused(400, 'parameter_invalid', 'line_items')
      const { id: customer } = found(store, 'customer', input.customer)
      const intent_metadata = (mode === 'payment' ? input.payment_intent_data : input.setup_intent_data)?.metadata ?? {}
      return actions.newSession(
        { mode, customer, amount_total, metadata, intent_metadata },
        { success_url, cancel_url, client_reference_id },
      )
    }),
    route('GET', 'checkout/sessions/:id', nothing, (_, id) => found(store, 'checkout.session', id)),
    route('POST', 'checkout/sessions/:id/expire', nothing, (_, id) => actions.expire(id)),
    route('POST', 'payment_intents', inputs.intent, (input) => chargeOffSession(store, actions, input)),
    route('GET', 'payment_intents', inputs.intents, ({ customer, created, ...input }) => {
      const isAsked = (one: Intent) => (customer === undefined || one.customer === customer) && isWithin(created, one)
      return pageOf(store.list('payment_intent').filter(isAsked), input)
    }),
    route('GET', 'payment_intents/:id', nothing, (_, id) => found(store, 'payment_intent', id)),
    route('POST', 'payment_intents/:id/cancel', inputs.cancel, ({ cancellation_reason = null }, id) =>
      actions.cancelIntent(found(store, 'payment_intent', id), cancellation_reason),
    ),
    route('POST', 'refunds', inputs.refund, ({ payment_intent, amount, reason, metadata }) => {
      const { id } = found(store, 'payment_intent', payment_intent)
      return actions.refund(id, { ...(amount && { amount }), ...(reason && { reason }), metadata })
    }),
    ...(['refund', 'dispute'] as const).map((kind) =>
      route('GET', `${kind}s`, inputs.ofIntent, ({ payment_intent, created, ...input }) => {
        const isAsked = (one: Refund | Dispute) =>
          (payment_intent === undefined || one.payment_intent === payment_intent) && isWithin(created, one)
        return pageOf(store.list(kind).filter(isAsked), input)
      }),
    ),
  ]
}

const isWithin = ({ gte = 0, lt = Number.POSITIVE_INFINITY }: z.output<typeof created>, one: Thing) =>
  one.created >= gte && one.created < lt

function chargeOffSession(store: Store, actions: Actions, input: z.output<typeof inputs.intent>): object {
  const card = found(store, 'payment_method', input.payment_method)
  if (card.customer !== found(store, 'customer', input.customer).id)
    throw refused(400, undefined, 'The payment method is not attached to this customer.')
  const { amount, customer, metadata } = input
  const intent = actions.newIntent({ amount, customer, metadata })
  const charge = actions.attempt(intent, card)
  const refusal = intent.last_payment_error
  if (refusal) throw new Refusal(402, { ...refusal, charge: charge.id, payment_intent: intent, payment_method: card })
  return intent
}

function found<Name extends Kind>(store: Store, kind: Name, id: string) {
  const thing = store.find(kind, id)
  if (!thing) throw refused(404, 'resource_missing', `No such ${kind}: '${id}'`, { param: kind })
  return thing
}

function pageOf(things: Thing[], { limit, starting_after }: { limit: number; starting_after?: string | undefined }) {
  const from = starting_after ? things.findIndex(({ id }) => id === starting_after) + 1 : 0
  return { object: 'list', data: things.slice(from, from + limit), has_more: from + limit < things.length, url: '/v1' }
}

/** Replaces ids with their objects where the request asks to expand them. */
function expanded(store: Store, answer: object, { expand = {} }: Fields): object {
  const copy = structuredClone(answer)
  for (const path of Object.values(expand)) expandAt(store, copy as Fields, String(path).split('.'))
  return copy
}

function expandAt(store: Store, place: Fields, [name = '', ...deeper]: string[]): void {
  const value = place[name]
  if (typeof value === 'string') place[name] = (structuredClone(store.any(value)) as unknown as Fields) ?? value
  const next = place[name]
  if (deeper.length === 0 || typeof next !== 'object' || next === null) return
  for (const one of Array.isArray(next) ? (next as Fields[]) : [next]) expandAt(store, one, deeper)
}
