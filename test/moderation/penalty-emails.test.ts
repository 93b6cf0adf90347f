import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { notifyOwner } from '../../src/accounts/emails/notify-owner.ts'
import { ownerEmails as emails } from '../../src/handlers.ts'
import { upholdAppeal } from '../../src/moderation/appeals/settle-appeal.ts'
import { removePost } from '../../src/moderation/decisions/decide-by-person.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { openEmailFixture } from '../support/owner-page/emails.ts'
import { kindNamed, seedPost } from '../support/posts/create-post.ts'

// No worker runs here, so the queue keeps what was enqueued.

let service: Service
before(async () => {
  service = await startService()
})
after(() => service?.[Symbol.asyncDispose]())

const dayMs = 24 * 3_600_000

async function openAccount(verified = true) {
  const { id: accountId } = await service.createCustomer(10_000_000)
  await service.asOwner('update accounts set email_verified_at = $2 where id = $1', [
    accountId,
    verified ? service.clock.now() : null,
  ])
  const told = async () => {
    const rows = await service.asOwner<{ about: string; subject: string }>(
      `select data ->> 'about' as about, data ->> 'subject' as subject from pgboss.job_common
       where name = 'tell-owner' and data ->> 'account_id' = $1 order by created_on, id`,
      [accountId],
    )
    return rows
  }
  /** Removes a new post for fraud. */
  const offend = async () => {
    const postId = await seedPost(service, kindNamed('message'), { accountId, status: 'published' })
    const by = { postId, actor: 'operator:test', at: service.clock.now() }
    await service.asOperator((tx, sites) => removePost(tx, sites, { ...by, category: 'scam_fraud' }))
    return { uphold: () => service.asOperator((tx, sites) => upholdAppeal(tx, sites, by)) }
  }
  /** What the owner receives about an event, the newest unless another is meant. */
  const mailed = async (index = -1) => {
    const { sent, post } = openEmailFixture(service).openPost()
    const event = (await told()).at(index)
    if (event) await notifyOwner({ db: service.workerDb, post, emails, accountId, ...event })
    return sent
  }
  return { offend, mailed, abouts: async () => (await told()).map(({ about }) => about) }
}

test('the owner is emailed about a strike at most once a day, and always about a ban', async () => {
  const { offend, mailed, abouts } = await openAccount()
  await offend()
  const [first] = await mailed()
  assert.equal(first?.subject, 'A post was removed as abusive')
  assert.match(String(first?.text), /Category: Scams and fraud\. Total cost: \$0\.18\..*1 of 3 strikes/s)
  assert.match(String(first?.text), /See the decision and appeal:\n\S+\/account\/posts\/post_/)
  await offend()
  assert.deepEqual(await abouts(), ['post_penalised'])
  await offend()
  assert.deepEqual(await abouts(), ['post_penalised', 'account_banned'])
  const [last] = await mailed()
  assert.equal(last?.subject, 'Your account is banned')
  assert.match(String(last?.text), /3 of 3 strikes, so it is banned.*Total cost: \$0\.18/s)
})

test('a day later the owner is emailed again', async () => {
  const { offend, abouts } = await openAccount()
  await offend()
  service.clock.setOffset(dayMs)
  await offend()
  assert.deepEqual(await abouts(), ['post_penalised', 'post_penalised'])
  service.clock.setOffset(0)
})

test('a strike that was reversed before the email is not reported', async () => {
  const { offend, mailed } = await openAccount()
  const { uphold } = await offend()
  assert.equal((await mailed()).length, 1)
  await uphold()
  assert.deepEqual(await mailed(0), [])
  const [reversal] = await mailed()
  assert.match(String(reversal?.text), /We refunded \$0\.18 and removed the strike\. The account has 0 of 3 strikes\./)
})

test('nobody is emailed about penalties at an address that is not verified', async () => {
  const { offend, mailed } = await openAccount(false)
  for (let strike = 0; strike < 3; strike++) {
    await offend()
    assert.deepEqual(await mailed(), [])
  }
})
