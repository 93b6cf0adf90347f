import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { request } from 'node:http'
import type { NewAccount } from '../../../clients/typescript/src/index.ts'
import { readCode } from '../../../src/accounts/sign-in/codes.ts'
import { hashToken } from '../../../src/accounts/sign-in/tokens.ts'
import { type Kind, kinds } from '../../../src/kinds/index.ts'
import { newId } from '../../../src/platform/identifiers.ts'
import type { Sealing } from '../../../src/platform/sealing.ts'
import { openApiClient } from '../../../tooling/clients/api-client.ts'
import { openOwner } from '../../../tooling/clients/owner.ts'
import type { Service } from '../../../tooling/environment/service.ts'
import { seedDraft, seedDraftLink } from '../drafts/seed-draft.ts'
import { seedPost } from '../posts/create-post.ts'
import { seedDomain } from './seed-domain.ts'

/** Unique values that can be searched for in a dump, a file or a response. */
export const marks = {
  name: 'Quillfeather Tidings',
  email: 'zanzibarry.plover@marsh-mark.example',
  localPart: 'zanzibarry.plover',
  formerEmail: 'wheatear@fen-mark.example',
  address: '127.0.99.41',
  webhookHost: 'plover-mark.example',
  domain: 'bittern-mark.example',
  keyName: 'kestrelkey',
  unpublished: 'gannetdraft',
  draft: 'shearwaterdraft',
  editText: 'puffinedit',
  rejectedEdit: 'razorbilledit',
  appeal: 'avocetappeal',
  report: 'dunlinreport',
  relayed: 'siskinrelay',
  idempotencyKey: 'wagtail-once-0001',
} as const

/**
 * An account with data in every place where it can leave a trace, created through the public interfaces where that is
 * cheap.
 */
export async function makeFullAccount(service: Service, sealing: Sealing) {
  const created = await createFrom(service, marks.address)
  const { id } = created
  await service.credit(id, 3_000_000)
  await moveMailbox(service, sealing, id)
  const stranger = await service.createCustomer()
  await service.asOwner('update accounts set email_verified_at = created_at where id = $1', [stranger.id])
  const clientOf = (kind: string) => service.client(created.api_key, kind)
  await clientOf('message').createWebhook({ url: `https://${marks.webhookHost}/hook` })
  await seedDomain(service, id, marks.domain)
  const published: Record<string, string> = {}
  for (const kind of kinds)
    published[kind.name] = await publish(service, created.api_key, kind, [0, marks.idempotencyKey])
  const classified = kinds.find(({ name }) => name === 'classified') as Kind
  const theirs = await publish(service, stranger.api_key, classified, [1, 'another-once-0001'])
  await service.settle()
  const unpublished = await seedUnpublished(service, id)
  await leaveWords(service, { account: created, stranger, published, theirs, rejected: unpublished.rejected })
  await seedDraft(service, { accountId: id, text: `A ${marks.draft} that waits.` })
  await seedDraftLink(service, id)
  await openDoors(service, id)
  await pay(service, id)
  return { ...created, clientOf, stranger, published }
}

/** The service sees this address, and no other account uses it. */
function createFrom({ baseUrl }: Service, address: string): Promise<NewAccount> {
  const { host, port } = new URL(baseUrl)
  const body = JSON.stringify({ name: marks.name, email: marks.formerEmail, accept_terms: true })
  return new Promise((resolve, reject) => {
    const asked = request({
      ...{ host: '127.0.0.1', port, localAddress: address, agent: false, method: 'POST', path: '/v1/accounts' },
      headers: { host, 'content-type': 'application/json' },
    })
    asked.once('error', reject)
    asked.once('response', async (response) => resolve(JSON.parse(Buffer.concat(await response.toArray()).toString())))
    asked.end(body)
  })
}

/** The owner changes the account's address, which verifies it. */
async function moveMailbox(service: Service, sealing: Sealing, accountId: string): Promise<void> {
  const at = service.clock.now()
  const owner = await openOwner(service, accountId)
  await owner.post('/account/email', { email: marks.email })
  const [row] = await service.asOwner<{ id: number }>('select id from owner_codes where account_id = $1', [accountId])
  const sent = await readCode(service.workerDb, sealing, { id: Number(row?.id), at })
  const changed = await owner.post('/account/email/code', { code: String(sent?.code) })
  assert.equal(changed.status, 303)
}

async function publish(service: Service, apiKey: string, kind: Kind, [example, idempotencyKey]: [number, string]) {
  const client = openApiClient({ baseUrl: String(service.baseUrls[kind.name]), apiKey, maxRetries: 0 })
  const { body } = await client.submitPost(kind.examples[example] as never, {}, { idempotencyKey })
  return 'id' in body ? body.id : ''
}

/** A post in every other status, of every kind. */
async function seedUnpublished(service: Service, accountId: string) {
  const rejected: Record<string, string> = {}
  for (const kind of kinds)
    for (const status of ['queued', 'review', 'rejected', 'removed', 'deleted'] as const) {
      const id = await seedPost(service, kind, { accountId, status })
      if (status === 'rejected') rejected[kind.name] = id
      await service.asOwner(
        `update posts set content = content || jsonb_build_object('title', $2::text), paid_links = array[$2::text]
         where id = $1 and content is not null`,
        [id, `A ${marks.unpublished} of ${marks.name}`],
      )
    }
  return { rejected }
}

type Written = {
  account: NewAccount
  stranger: { id: string; api_key: string }
  published: Record<string, string>
  /** Another account's ad. */
  theirs: string
  rejected: Record<string, string>
}

async function leaveWords(
  service: Service,
  { account, stranger, published, theirs, rejected }: Written,
): Promise<void> {
  const client = service.client(account.api_key, 'classified')
  await client.appealPost(String(rejected['classified']), { message: `An ${marks.appeal} for another look.` })
  await service.asOwner(
    `insert into post_edits (post_id, number, status, content, facets, links, submitted_at)
     values ($1, 1, 'queued', jsonb_build_object('text', $2::text), '{}', array[$2::text], $3)`,
    [published['message'], marks.editText, service.clock.now()],
  )
  await service.asOwner(
    `insert into post_edits (post_id, number, status, content, facets, links, submitted_at)
     values ($1, 1, 'queued', jsonb_build_object('text', $2::text), '{}', array[$2::text], $3)`,
    [published['story'], marks.rejectedEdit, service.clock.now()],
  )
  await service.asOwner("update post_edits set status = 'rejected', decided_at = submitted_at where post_id = $1", [
    published['story'],
  ])
  const report = {
    post_id: theirs,
    category: 'spam',
    detail: `A ${marks.report}.`,
    contact_email: marks.email,
  } as const
  await client.reportPost(report)
  await service.client(undefined, 'classified').reportPost(report)
  await service.client(stranger.api_key, 'classified').reportPost({ ...report, detail: 'Theirs stays.' })
  // No mail server runs here: both messages wait with their texts.
  const message = `A ${marks.relayed} about what is on offer.`
  await client.relayMessage({ post_id: theirs, message })
  await service
    .client(stranger.api_key, 'classified')
    .relayMessage({ post_id: String(published['classified']), message })
  const form = new URLSearchParams({ name: 'Rosa Reader', email: 'rosa@people.example', message })
  await fetch(`${service.baseUrls['classified']}/p/${published['classified']}/contact`, { method: 'POST', body: form })
}

/** Keys, codes, links and sessions. */
async function openDoors(service: Service, accountId: string): Promise<void> {
  const at = service.clock.now()
  await service.asOwner(
    `insert into api_keys (id, account_id, name, hash, last4, created_at, slot) values ($1, $2, $3, $4, 'abcd', $5, 2)`,
    [newId('key', at), accountId, marks.keyName, randomBytes(32), at],
  )
  await service.asOwner(
    `insert into owner_codes (account_id, purpose, asked_by, email, sealed, key_id, created_at, expires_at)
     values ($1, 'sign_in', $2, $3, $2, 'test', $4, $4::timestamptz + interval '10 minutes')`,
    [accountId, randomBytes(32), marks.email, at],
  )
  await service.asOwner('insert into owner_link_mails (email, asked_at, mailed_at) values ($1, $2, $2)', [
    marks.email.toUpperCase(),
    at,
  ])
  await service.asOwner('insert into owner_visits values ($1, $2, $3)', [hashToken(randomUUID()), accountId, at])
}

/** Ten dollars paid by card, and the card is saved. */
async function pay(service: Service, accountId: string): Promise<void> {
  const at = service.clock.now()
  const payment = newId('pay', at)
  await service.asOwner(
    `insert into payments (id, account_id, cause, provider, amount_micros, status, reference, intent, created_at, settled_at)
     values ($1, $2, 'top_up', 'stripe', 10000000, 'paid', 'cs_one', 'pi_one', $3, $3)`,
    [payment, accountId, at],
  )
  await service.asOwner(
    `insert into ledger_transfers (id, account_id, from_book, to_book, amount_micros, reason, subject, entered_at)
     values ($1, $2, 'provider_clearing', 'prepaid', 10000000, 'top_up', $3, $4)`,
    [newId('txn', at), accountId, payment, at],
  )
  await service.asOwner(
    `insert into payment_customers (account_id, customer, card, card_brand, card_last4, card_expires, created_at)
     values ($1, 'cus_one', 'pm_one', 'visa', '4242', '2031-05', $2)`,
    [accountId, at],
  )
  await service.asOwner('update accounts set card_on_file = true, auto_recharge_enabled = true where id = $1', [
    accountId,
  ])
}
