// Writing to the seller of an ad: spec Endpoints (POST /v1/relay); decisions 8.
import { freshAccount, mailText, marker, waitForMail } from '../accounts.ts'
import { equal, excludes, hasStatus, includes, isInvalid, isOkJson, isProblem, oneOf } from '../assert.ts'
import { fixture, section } from '../checks.ts'
import { bodies, publish, published } from '../fixtures.ts'
import { prose } from '../harmless.ts'
import { at, request } from '../http.ts'
import { signIn } from '../owner-page.ts'
import { inbox } from '../targets.ts'

const test = section('relay')

const relay = (account, body, kind = 'classified') => at(kind).post('/v1/relay', body, { key: account.key })
const ad = fixture('a published ad with a seller', async () => {
  const seller = await freshAccount({ micros: 500_000 })
  // Mail goes to verified addresses only.
  await signIn(seller)
  return { seller, ...(await publish('classified', bodies.classified(), seller)) }
})
const buyer = fixture('a buyer whose email is verified', async () => {
  const account = await freshAccount()
  await signIn(account)
  return account
})

test('elsewhere-404: decisions 8: POST /v1/relay exists on the classified site only (404 elsewhere)', async () => {
  const { id } = await ad()
  const account = await buyer()
  for (const kind of ['message', 'story', 'event'])
    isProblem(await relay(account, { post_id: id, message: prose(60) }, kind), 404)
})
test('401: spec Endpoints: POST /v1/relay requires a key: 401 missing_api_key, 401 invalid_api_key', async () => {
  const { id } = await ad()
  isProblem(await at('classified').post('/v1/relay', { post_id: id, message: prose(60) }), 401, 'missing_api_key')
  isProblem(
    await at('classified').post('/v1/relay', { post_id: id, message: prose(60) }, { key: `bsk_${'A'.repeat(49)}` }),
    401,
    'invalid_api_key',
  )
})
test('unverified-403: decisions 3: an account whose email is not verified cannot relay: 403 email_unverified, owner needed', async () => {
  const { id } = await ad()
  isProblem(await relay(await freshAccount(), { post_id: id, message: prose(60) }), 403, 'email_unverified')
})
const word = marker()
const sent = fixture('a relayed message', async () => {
  const [{ id, seller }, account] = [await ad(), await buyer()]
  const reply = await relay(account, {
    post_id: id,
    message: `Is the bookcase still to be had, and may I come on Saturday? The word is ${word}.`,
  })
  return { reply, seller, account }
})
test('sent: decisions 8: POST /v1/relay answers 202 {status: "sent"}', async () => {
  const { reply, seller } = await sent()
  equal(isOkJson(reply, 202).status, 'sent')
  excludes(reply.text, seller.email, 'answer')
})
test("mailed: spec Endpoints: the seller receives the message by email with the sender's address as Reply-To", async () => {
  const { seller, account } = await sent()
  const mail = await waitForMail(seller.email, { seconds: 20, where: (entry) => mailText(entry).includes(word) })
  const { text } = await request('GET', `${inbox}/email/${mail.id}/raw`)
  includes(/^reply-to: .*$/im.exec(text)?.[0] ?? '', account.email, 'Reply-To')
})
test('length: decisions 8: message has 20–2,000 characters', async () => {
  const { id } = await ad()
  const account = await buyer()
  isInvalid(await relay(account, { post_id: id, message: prose(19) }), '/message')
  isInvalid(await relay(account, { post_id: id, message: prose(2001) }), '/message')
  hasStatus(await relay(account, { post_id: id, message: prose(20) }), 202)
  hasStatus(await relay(account, { post_id: id, message: prose(2000) }), 202)
})
test('members: decisions 8: post_id and message are required, an unknown member is refused', async () => {
  const { id } = await ad()
  const account = await buyer()
  isInvalid(await relay(account, { message: prose(60) }), '/post_id')
  isInvalid(await relay(account, { post_id: id }), '/message')
  isInvalid(await relay(account, { post_id: id, message: prose(60), colour: 'red' }), '/colour')
})
test('unknown-ad: decisions 10: an ad that does not exist is 404 post_not_found', async () => {
  const account = await buyer()
  isProblem(
    await relay(account, { post_id: 'post_01hzzzzzzzzzzzzzzzzzzzzzzz', message: prose(60) }),
    404,
    'post_not_found',
  )
})
test('not-an-ad: spec Endpoints: only the seller of a classified ad is written to', async () => {
  const account = await buyer()
  const post = await published.message()
  oneOf((await relay(account, { post_id: post.id, message: prose(60) })).status, [404, 409, 422])
})
test('not-live: decisions 8: the ad must be live', async () => {
  const account = await buyer()
  const seller = await freshAccount({ micros: 200_000 })
  const { id } = await publish('classified', bodies.classified(), seller)
  hasStatus(await at('classified').delete(`/v1/posts/${id}`, { key: seller.key }), 200)
  oneOf((await relay(account, { post_id: id, message: prose(60) })).status, [404, 409, 410], 'status for a deleted ad')
})
test('twenty-a-day: decisions 8: at most 20 a day for an account: 429 rate_limited', async () => {
  const { id } = await ad()
  const account = await freshAccount()
  await signIn(account)
  for (let time = 1; time <= 20; time++)
    hasStatus(await relay(account, { post_id: id, message: `${prose(60)} Question ${time}.` }), 202)
  isProblem(await relay(account, { post_id: id, message: prose(60) }), 429, 'rate_limited')
})
