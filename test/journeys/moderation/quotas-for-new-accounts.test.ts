import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isProblem } from '../../../clients/typescript/src/index.ts'
import { allowances } from '../../../src/contract/limits.ts'
import { openOwner } from '../../../tooling/clients/owner.ts'
import { type Service, startService } from '../../../tooling/environment/service.ts'
import { kindNamed, seedPost } from '../../support/posts/create-post.ts'

let service: Service
before(async () => {
  service = await startService({ judges: true })
})
after(() => service?.[Symbol.asyncDispose]())

const message = kindNamed('message')
const { max: reviews } = allowances['reviews-per-new-account']
const { max: appeals } = allowances['appeals-per-new-account']

/** An account with a balance; trusted if asked for. */
async function open({ isTrusted = false } = {}) {
  const account = await service.createAccount()
  await service.credit(account.id, 5_000_000)
  if (isTrusted) {
    const past = new Date(service.clock.now().getTime() - 30 * 86_400_000)
    await service.asOwner('update accounts set email_verified_at = $2, created_at = $2 where id = $1', [
      account.id,
      past,
    ])
    for (let count = 0; count < 5; count += 1) {
      const id = await seedPost(service, message, { accountId: account.id, status: 'published' })
      await service.asOwner('update posts set published_at = $2 where id = $1', [id, past])
    }
  }
  return account
}

/** As many posts of the account as this were sent to a person; some of them wait, the others were decided. */
async function sendToPeople(accountId: string, { count, openedAt, waits = false }: Opened) {
  for (let number = 0; number < count; number += 1) {
    const id = await seedPost(service, message, { accountId, status: waits ? 'review' : 'published' })
    await service.asOwner(
      "insert into reviews (post_id, account_id, reason, opened_at, waits) values ($1, $2, 'unsure', $3, $4)",
      [id, accountId, openedAt, waits],
    )
  }
}
type Opened = { count: number; openedAt: Date; waits?: boolean }

type Client = Awaited<ReturnType<typeof open>>['client']
let texts = 0
const newText = () => {
  texts += 1
  return { text: `Tide ${Array.from({ length: 12 }, (_, word) => `w${(texts * 100 + word).toString(36)}`).join(' ')}.` }
}

async function refusal(call: Promise<unknown>) {
  const problem = await call.then(
    () => assert.fail('the call must be refused'),
    (error) => error,
  )
  assert.ok(isProblem(problem), String(problem))
  return { code: problem.code, status: problem.status, detail: problem.message }
}

const balanceOf = async (client: Client) => (await client.getAccount()).body.balance_micros

test('a new account whose posts took many people’s time today cannot post more, and is not charged; a trusted one can', async () => {
  const now = service.clock.now()
  const yesterday = new Date(now.getTime() - 86_400_000)
  const [fresh, trusted] = [await open(), await open({ isTrusted: true })]
  await sendToPeople(fresh.id, { count: 3, openedAt: yesterday })
  await sendToPeople(fresh.id, { count: 5, openedAt: yesterday, waits: true })
  await sendToPeople(fresh.id, { count: reviews - 6, openedAt: now })
  await fresh.client.submitPost(newText())
  await sendToPeople(fresh.id, { count: 1, openedAt: now })
  await sendToPeople(trusted.id, { count: reviews, openedAt: now, waits: true })
  const before = await balanceOf(fresh.client)
  for (const dry_run of ['false', 'true'] as const) {
    const { code, status, detail } = await refusal(fresh.client.submitPost(newText(), { dry_run }))
    assert.deepEqual([status, code], [429, 'rate_limited'])
    assert.match(detail, new RegExp(`${reviews} posts.*trusted`))
  }
  assert.equal(await balanceOf(fresh.client), before)
  await trusted.client.submitPost(newText())
})

test('a new account has a daily number of appeals', async () => {
  const { id: accountId, client } = await open()
  const refused = () => seedPost(service, message, { accountId, status: 'rejected' })
  for (let count = 0; count < appeals; count += 1) await client.appealPost(await refused(), { message: 'No.' })
  const last = await refused()
  const { code, status, detail } = await refusal(client.appealPost(last, { message: 'No.' }))
  assert.deepEqual([status, code], [429, 'rate_limited'])
  assert.match(detail, /appeals/)
  assert.deepEqual(await service.asOwner('select from appeals where post_id = $1', [last]), [])
})

test('of decisions that cost nothing, any account can appeal one a day, also on the owner page', async () => {
  const { id: accountId, client } = await open({ isTrusted: true })
  const lowQuality = async () => {
    const { body } = await client.submitPost({ text: `${newText().text} verdict-low-quality` })
    await service.settle()
    return 'id' in body ? body.id : ''
  }
  const [first, second, third] = [await lowQuality(), await lowQuality(), await lowQuality()]
  await client.appealPost(first, { message: 'It says when the ferry leaves.' })
  const { code, status, detail } = await refusal(client.appealPost(second, { message: 'It is fine.' }))
  assert.deepEqual([status, code], [429, 'rate_limited'])
  assert.match(detail, /cost nothing/)
  const owner = await openOwner(service, accountId)
  const shown = await owner.post(`/account/posts/${third}/appeal`, { message: 'It is fine.' })
  assert.equal(shown.status, 429)
  assert.match(await shown.text(), /cost nothing/)
  const paid = await seedPost(service, message, { accountId, status: 'rejected' })
  await client.appealPost(paid, { message: 'It threatens nobody.' })
  assert.deepEqual(
    (await service.asOwner<{ post_id: string }>('select post_id from appeals where account_id = $1', [accountId]))
      .map(({ post_id }) => post_id)
      .sort(),
    [first, paid].sort(),
  )
})
