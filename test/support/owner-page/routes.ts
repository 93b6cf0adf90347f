import assert from 'node:assert/strict'
import { kinds } from '../../../src/kinds/index.ts'
import { ownerRoutes } from '../../../src/owner-page/routes.ts'
import { newId } from '../../../src/platform/identifiers.ts'
import { openOwner } from '../../../tooling/clients/owner.ts'
import type { Service } from '../../../tooling/environment/service.ts'
import { seedKey } from '../accounts/create-key.ts'
import { seedDraft, seedDraftLink } from '../drafts/seed-draft.ts'
import { seedMailbox, seedRequest } from '../oauth/seed-request.ts'
import { seedPost } from '../posts/create-post.ts'
import { seedWebhook } from '../posts/operation-subject.ts'

export type OwnerRoute = (typeof ownerRoutes)[number]

/** The objects in the addresses of the owner page. */
type Subject = 'draftToken' | 'key' | 'mailbox' | 'payment' | 'post' | 'request' | 'session' | 'token' | 'webhook'

type Example = {
  /** The path parameter; required if the path has one. */
  names?: Subject
  /** The required form fields. */
  form?: (subjects: Record<Subject, string>) => Record<string, string>
  /** The expected status for the owner, if not 200 for a page and 303 for an action. */
  status?: number
}

const atFirst = () => newId('key', new Date())
const keyForm = { name: 'agent', scope: 'full', cap: '' }
const rechargeForm = { enabled: 'off', threshold: '1000000', amount: '5000000', cap: '50000000' }

/** How each route is requested. A route that needs more than its path must have an entry here. */
const examples: Partial<Record<string, Example>> = {
  'GET /': { status: 303 },
  'GET /o/:token': { names: 'token', status: 303 },
  'POST /find-account': { form: () => ({ email: 'nobody@example.com' }) },
  'GET /sign-in': { status: 303 },
  'POST /sign-in': { form: () => ({ code: '000000' }), status: 422 },
  'POST /account/sessions/:id/end': { names: 'session' },
  'POST /account/email': { form: () => ({ email: 'changed@example.com' }) },
  'POST /account/email/code': { form: () => ({ code: '000000' }), status: 422 },
  'POST /account/top-up': { form: () => ({ amount: '5000000' }) },
  // Payments are manual here, so there is no card.
  'POST /account/card': { status: 404 },
  // Nothing can be refunded here.
  'POST /account/refund': { form: () => ({ amount_micros: '1' }) },
  'GET /account/card/remove': { status: 303 },
  'POST /account/auto-recharge': { form: () => rechargeForm },
  'POST /account/settings/review-mails': { form: () => ({ enabled: 'off' }) },
  'GET /account/payments/:id': { names: 'payment' },
  'GET /account/receipts/:id': { names: 'payment' },
  'GET /account/posts/:id': { names: 'post' },
  'POST /account/posts/:id/appeal': { names: 'post', form: () => ({ message: 'It was no spam.' }) },
  'GET /d/:token': { names: 'draftToken', status: 303 },
  'POST /account/drafts': { form: () => ({ decision: 'approve' }) },
  'POST /drafts': { form: () => ({ decision: 'approve' }) },
  'GET /account/webhooks/:id': { names: 'webhook' },
  'GET /account/webhooks/:id/delete': { names: 'webhook' },
  'POST /account/webhooks/:id/delete': { names: 'webhook' },
  'POST /account/deletion': { form: () => ({ word: 'DELETE' }) },
  // This owner has no key to confirm.
  'GET /account/confirm-keys': { status: 303 },
  'POST /account/confirm-keys': {},
  'POST /account/keys': { form: () => ({ id: atFirst(), ...keyForm }), status: 200 },
  'GET /account/keys/:id': { names: 'key' },
  'POST /account/keys/:id': { names: 'key', form: () => keyForm },
  'GET /account/keys/:id/revoke': { names: 'key' },
  'POST /account/keys/:id/revoke': { names: 'key' },
  // It names no app.
  'GET /oauth/authorize': { status: 400 },
  'POST /device': { form: () => ({ code: 'BCDF-GHJK' }), status: 422 },
  'GET /connect/:request': { names: 'request' },
  'POST /connect/:request': { names: 'request', form: () => ({ decision: 'allow', posting: 'read', cap: '' }) },
  'POST /connect/email': { form: ({ request }) => ({ request, email: 'nobody@example.com' }) },
  // The mailbox is proven already, and it has no account.
  'POST /connect/code': { form: ({ request }) => ({ request, code: '000000' }), status: 422 },
  'POST /connect/account': { form: ({ request }) => ({ request, account: newId('acct', new Date()) }), status: 422 },
  'POST /connect/sign-up': { form: ({ request }) => ({ request, name: 'Harbour Notices', terms: 'on' }) },
}

export const nameOf = ({ method, path }: OwnerRoute) => `${method} ${path}`

/** Routes without an entry, and entries without a route. */
export function strayExamples() {
  const names = ownerRoutes.map(nameOf)
  return {
    routes: ownerRoutes.filter((route) => needsExample(route) && !examples[nameOf(route)]).map(nameOf),
    lines: Object.keys(examples).filter((name) => !names.includes(name)),
  }
}

const needsExample = ({ path, form }: OwnerRoute) => path.includes(':') || form !== undefined

export type Owned = Awaited<ReturnType<typeof seedOwned>>

/** An account with one of every object that an address can name. */
export async function seedOwned(service: Service) {
  const account = await service.createAccount()
  const { id: accountId } = account
  const at = service.clock.now()
  const payment = newId('pay', at)
  await service.asOwner(
    `insert into payments (id, account_id, cause, provider, amount_micros, status, created_at, settled_at)
     values ($1, $2, 'top_up', 'manual', 5000000, 'paid', $3, $3)`,
    [payment, accountId, at],
  )
  const message = kinds.find(({ name }) => name === 'message')
  assert.ok(message)
  const owner = await openOwner(service, accountId)
  const [session] = await service.asOwner<{ id: string }>('select id from owner_sessions where account_id = $1', [
    accountId,
  ])
  const draftId = await seedDraft(service, { accountId })
  const subjects: Record<Subject, string> = {
    draftToken: await seedDraftLink(service, accountId),
    key: (await seedKey(service, { accountId, slot: 2 })).id,
    mailbox: await seedMailbox(service),
    payment,
    request: await seedRequest(service),
    post: await seedPost(service, message, { accountId, status: 'rejected' }),
    session: String(session?.id),
    token: account.account_url.split('/o/')[1] ?? '',
    webhook: await seedWebhook(service, accountId),
  }
  return { account, owner, subjects, draftId }
}

/** The address and the form of a route, for this account's objects. */
export function askFor(route: OwnerRoute, { subjects }: Pick<Owned, 'subjects'>) {
  const { names, form, status } = examples[nameOf(route)] ?? {}
  const path = names ? route.path.replace(/:\w+/, subjects[names]) : route.path
  return { path, fields: form?.(subjects) ?? {}, status: status ?? (route.method === 'GET' ? 200 : 303) }
}

/** A hash of everything that only the owner can change, and of its log. Every visit changes `last_seen_at`. */
export async function fingerprint(service: Service): Promise<string> {
  const tables = [
    'accounts',
    'api_keys',
    'appeals',
    'audit_log',
    'balances',
    'drafts',
    'ledger_transfers',
    'owner_sessions',
    'payment_customers',
    'payment_refunds',
    'payments',
    'posts',
    'webhooks',
  ]
  const prints = tables.map(
    (table) =>
      `select '${table} ' || coalesce(md5(string_agg(row, e'\n' order by row)), '') as print
       from (select (to_jsonb(t) - 'last_seen_at')::text as row from ${table} t) rows`,
  )
  const rows = await service.asOwner<{ print: string }>(prints.join(' union all '))
  return rows.map(({ print }) => print).join('\n')
}
