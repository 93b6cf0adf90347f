import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type BroadsideProblem, isProblem } from '../../../clients/typescript/src/index.ts'
import { maxReviewedCopies } from '../../../src/posts/duplicates/near-duplicates.ts'
import { type Service, startService } from '../../../tooling/environment/service.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service[Symbol.asyncDispose]())

const notice =
  'The drawbridge at the north basin stays open from six to ten on Saturday because the crane has to pass; ' +
  'cyclists use the footbridge beside the lock instead.'

async function refusal(call: Promise<unknown>): Promise<BroadsideProblem> {
  const error = await call.then(
    () => assert.fail('it was accepted'),
    (one) => one,
  )
  assert.ok(isProblem(error, 'prefilter_refused'), String(error))
  return error
}
const stored = async () => (await service.asOwner<{ count: number }>('select count(*) from posts'))[0]?.count

test('a rule refuses with its category and a reason; nothing is stored or charged, dry run or not', async () => {
  const account = await service.createCustomer(100_000)
  const before = await stored()
  for (const dry_run of ['true', 'false'] as const) {
    const problem = await refusal(
      account.client.submitPost({ text: 'My card is 4539 5787 6362 1486, take it.' }, { dry_run }),
    )
    assert.equal(problem.document.category, 'personal_data')
    assert.ok(String(problem.document.reason).length > 30)
    assert.ok(!JSON.stringify(problem.document).includes('4539'), 'the number is not repeated')
  }
  assert.equal(await stored(), before)
  assert.equal((await account.client.getAccount()).body.balance_micros, 100_000)
})

test('the prefilter comes before the balance', async () => {
  const account = await service.createAccount()
  await refusal(account.client.submitPost({ text: 'prefilter-refuse-spam' }))
})

test('the account’s own near-duplicate is refused until that post is gone', async () => {
  const account = await service.createCustomer()
  const { body } = await account.client.submitPost({ text: notice })
  assert.ok('id' in body)
  const problem = await refusal(account.client.submitPost({ text: `${notice.toUpperCase()} Now!` }))
  assert.equal(problem.document.category, 'spam')
  assert.match(problem.message, /This account/)
  await account.client.deletePost(body.id)
  assert.equal((await account.client.submitPost({ text: notice })).status, 202)
})

test('a text that five other accounts have is refused if it is long enough, but not to an author who had it before', async () => {
  const author = await service.createCustomer()
  const text = notice.replace('drawbridge', 'swing bridge').replace('crane', 'dredger').replaceAll('o', 'ö')
  await author.client.submitPost({ text })
  service.clock.setOffset(8 * 86_400_000)
  const accounts = await Promise.all(Array.from({ length: maxReviewedCopies + 1 }, () => service.createCustomer()))
  const last = accounts.pop()
  assert.ok(last)
  for (const { client } of accounts)
    assert.equal((await client.submitPost({ text: `${text} Please share!` })).status, 202)
  const problem = await refusal(last.client.submitPost({ text }, { dry_run: 'true' }))
  assert.match(problem.message, /Several other accounts/)
  assert.equal((await author.client.submitPost({ text })).status, 202)
  for (const { client } of [...accounts, last])
    assert.equal((await client.submitPost({ text: 'Good morning from the lighthouse.' })).status, 202)
  service.clock.setOffset(0)
})

test('a rejected post can be corrected and sent again', async () => {
  const account = await service.createCustomer()
  const text = `Timetable of the ${crypto.randomUUID()} ferry: nine, twelve, three and six, every day but Sunday.`
  const { body } = await account.client.submitPost({ text })
  assert.ok('id' in body)
  await service.asOwner("update posts set status = 'rejected' where id = $1", [body.id])
  assert.equal((await account.client.submitPost({ text: `${text} Bicycles travel free.` })).status, 202)
})

test('after a week the same text is accepted again', async () => {
  const account = await service.createCustomer()
  const text = `Weekly notice ${crypto.randomUUID()}: the fish market opens at five on the outer pier.`
  await account.client.submitPost({ text })
  service.clock.setOffset(7 * 86_400_000 + 1_000)
  assert.equal((await account.client.submitPost({ text })).status, 202)
  service.clock.setOffset(0)
})

test('an edit passes the same rules, and is not compared with its own post', async () => {
  const account = await service.createCustomer()
  const text = `Opening ${crypto.randomUUID()}: the reading room of the pilot house is open on weekdays from nine.`
  const { body } = await account.client.submitPost({ text })
  assert.ok('id' in body)
  await service.asOwner("update posts set status = 'published', published_at = created_at where id = $1", [body.id])
  await refusal(account.client.editPost(body.id, { text: 'prefilter-refuse-low_quality' }))
  assert.equal((await account.client.editPost(body.id, { text: `${text} Closed on holidays.` })).status, 202)
})

test('an account’s name also passes the prefilter, and cannot pretend to be the platform’s', async () => {
  const newcomer = { email: 'owner@example.com', accept_terms: true } as const
  for (const name of ['prefilter-refuse-impersonation', 'Broadside Staff (official)']) {
    const problem = await refusal(service.client().createAccount({ ...newcomer, name }))
    assert.equal(problem.document.category, 'impersonation')
  }
})

test('many variants of one text do not hide a copy', async () => {
  const account = await service.createCustomer(10_000_000)
  const word = () => Math.random().toString(36).replaceAll(/\d|\./g, '').slice(0, 7)
  const same = Array.from({ length: 12 }, word).join(' ')
  const variants = Array.from({ length: 60 }, () => `${same} ${Array.from({ length: 12 }, word).join(' ')}`)
  for (const text of variants) await account.client.submitPost({ text }).catch(() => {})
  for (const text of [variants[0], variants[30], variants[59]])
    await refusal(account.client.submitPost({ text: String(text) }))
})
