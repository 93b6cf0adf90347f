import { newId } from '../../../src/platform/identifiers.ts'
import type { CardProvider } from '../../../src/platform/payments/provider.ts'
import { recordEvent } from '../../../src/posts/events.ts'
import type { Service } from '../../../tooling/environment/service.ts'
import { seedDomain } from '../accounts/seed-domain.ts'
import { seedDraft } from '../drafts/seed-draft.ts'
import { kindNamed, seedPost } from '../posts/create-post.ts'

const dayMs = 86_400_000
const kindOf = {
  queued: 'message',
  review: 'story',
  published: 'classified',
  rejected: 'event',
  removed: 'message',
  deleted: 'story',
} as const

export type SeededOwner = Awaited<ReturnType<typeof seedPopulatedAccount>>
/** User-chosen texts: a page must handle anything here. */
export type Words = { name: string; text: string; keyName: string; appeal: string }

/** An account with content for every owner page, without a judge, an email or a provider. */
export async function seedPopulatedAccount(service: Service, words: Words) {
  const account = await service.createAccount()
  const { id } = account
  await service.asOwner(
    `update accounts set name = $2, strikes = 1, deletion_requested_at = $3, recharge_failures = 1, card_on_file = true,
       auto_recharge_enabled = true, created_at = created_at - interval '60 days' where id = $1`,
    [id, words.name, service.clock.now()],
  )
  const [key] = await service.asOwner<{ id: string }>(
    'update api_keys set name = $2 where account_id = $1 returning id',
    [id, words.keyName],
  )
  const posts = await seedPosts(service, { accountId: id, text: words.text })
  await account.client.appealPost(posts.removed, { message: words.appeal })
  await seedSpending(service, { accountId: id, keyId: String(key?.id), postId: posts.published })
  for (const publishAt of [null, new Date(service.clock.now().getTime() + dayMs)])
    await seedDraft(service, { accountId: id, text: words.text, publishAt })
  await seedDraft(service, { accountId: id, isSubmitted: true })
  await seedDomain(service, id, `${'a'.repeat(60)}.${'b'.repeat(60)}.example`)
  const webhook = await seedWebhook(service, account)
  return { ...account, posts, webhook, payments: await seedPayments(service, id) }
}

/** A post in every status, of several kinds. */
async function seedPosts(service: Service, { accountId, text }: { accountId: string; text: string }) {
  const posts = {} as Record<keyof typeof kindOf, string>
  for (const status of Object.keys(kindOf) as (keyof typeof kindOf)[]) {
    const kind = kindNamed(kindOf[status])
    posts[status] = await seedPost(service, kind, { accountId, status })
    const member = 'title' in (kind.examples[0] ?? {}) ? 'title' : 'text'
    await service.asOwner(
      'update posts set content = content || jsonb_build_object($2::text, $3::text) where id = $1 and content is not null',
      [posts[status], member, text],
    )
  }
  return posts
}

type Spending = { accountId: string; keyId: string; postId: string }

/** Entries on most days of the last month, and one of each kind of money movement. */
async function seedSpending(service: Service, { accountId, keyId, postId }: Spending) {
  const book = seedTransfer(service, { accountId, keyId })
  await book(30, ['credit', 'operator_credit', 'prepaid', 30_000_000, `test:${accountId}`])
  for (let day = 29; day > 0; day--)
    if (day % 4 !== 0)
      await book(day, [
        'search',
        'prepaid',
        'revenue',
        20_000 + ((day * 7919) % 13) * 40_000,
        `search:${accountId}:${day}`,
      ])
  await book(0.02, ['post', 'prepaid', 'revenue', 20_000, postId])
  await book(0.01, ['edit', 'prepaid', 'revenue', 10_000, `${postId}/1`])
  await book(0.005, ['refund', 'refunds', 'prepaid', 10_000, `${postId}/1`])
  await book(0.003, ['penalty', 'prepaid', 'penalties', 180_000, `${postId}/0/2`])
  await book(0.002, ['penalty', 'owed', 'penalties', 250_000, `${postId}/0/3`])
}

type Transfer = [reason: string, from: string, to: string, micros: number, subject: string]

/** Books an entry some days ago. Spending names a key. */
export function seedTransfer(service: Service, { accountId, keyId }: { accountId: string; keyId?: string }) {
  const now = service.clock.now().getTime()
  return (daysAgo: number, [reason, from, to, micros, subject]: Transfer) => {
    const at = new Date(now - daysAgo * dayMs)
    const spentBy = from === 'prepaid' && to === 'revenue' ? (keyId ?? null) : null
    return service.asOwner(
      `insert into ledger_transfers (id, account_id, from_book, to_book, amount_micros, reason, subject, entered_at, key_id)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [newId('txn', at), accountId, from, to, micros, reason, subject, at, spentBy],
    )
  }
}

async function seedWebhook(service: Service, account: Awaited<ReturnType<Service['createAccount']>>) {
  const { body } = await account.client.createWebhook({ url: 'https://agent.example/hooks/broadside' })
  const at = service.clock.now()
  for (const type of ['post.published', 'post.rejected'] as const) {
    const postId = newId('post', at)
    await service.asWorker((tx) =>
      recordEvent(tx, { type, accountId: account.id, postId, data: { id: postId, kind: 'message' }, at }),
    )
  }
  const failed = { at: at.toISOString(), status_code: null, duration_ms: 15_000, error: 'timeout' }
  const refused = { at: at.toISOString(), status_code: 503, duration_ms: 112, error: null }
  await service.asOwner("update deliveries set attempts = $2, status = 'failed', due_at = null where webhook_id = $1", [
    body.id,
    JSON.stringify([failed, refused]),
  ])
  await service.asOwner('update webhooks set failing_since = $2 where id = $1', [body.id, at])
  return body.id
}

/** One payment in every status, and a card. */
async function seedPayments(service: Service, accountId: string) {
  const at = service.clock.now()
  const payments = {} as Record<'started' | 'paid' | 'failed' | 'cancelled', string>
  for (const status of ['started', 'paid', 'failed', 'cancelled'] as const) {
    payments[status] = newId('pay', at)
    await service.asOwner(
      `insert into payments (id, account_id, cause, provider, amount_micros, status, failure, created_at, settled_at)
       values ($1, $2, $3, 'stripe', 10000000, $4, $5, $6, $7)`,
      [
        payments[status],
        accountId,
        status === 'failed' ? 'recharge' : 'top_up',
        status,
        status === 'failed' ? 'card_declined' : null,
        at,
        status === 'started' ? null : at,
      ],
    )
  }
  await service.asOwner(
    `insert into ledger_transfers (id, account_id, from_book, to_book, amount_micros, reason, subject, entered_at)
     values ($1, $2, 'provider_clearing', 'prepaid', 10000000, 'top_up', $3, $4)`,
    [newId('txn', at), accountId, payments.paid, at],
  )
  await service.asOwner(
    `insert into payment_refunds (id, payment_id, amount_micros, status, created_at, settled_at)
     values ($1, $2, 1500000, 'succeeded', $3, $3)`,
    [newId('rfd', at), payments.paid, at],
  )
  await service.asOwner(
    `insert into payment_customers (account_id, customer, card, card_brand, card_last4, card_expires, created_at)
     values ($1, $2, $2, 'visa', '4242', '2031-05', $3)`,
    [accountId, `of ${accountId}`, at],
  )
  return payments
}

/** A provider without pages, for owner pages that only link to it. `asked` records its calls. */
export function stubProvider(checkoutOrigin = 'https://pay.example'): CardProvider & { asked: string[] } {
  const asked: string[] = []
  const page = (name: string) => async () => {
    asked.push(name)
    return { reference: `${name}_${asked.length}`, url: `${checkoutOrigin}/${name}` }
  }
  const refuse = async () => {
    throw new Error('nobody asks this here')
  }
  return {
    asked,
    driver: 'stripe',
    checkoutOrigin,
    createCustomer: async ({ accountId }) => `cus of ${accountId}`,
    changeEmail: async () => {},
    forgetCustomer: async () => {},
    startTopUp: page('top-up'),
    startCardSetup: page('card'),
    readCard: async () => null,
    removeCard: async () => void asked.push('remove-card'),
    chargeCard: refuse,
    sendRefund: refuse,
    readPayment: async () => null,
    cancelPayment: async () => {},
    listPayments: async function* () {},
    readEvent: async () => null,
  }
}
