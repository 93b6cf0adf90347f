// Safe keys: docs/features.md; decisions 3 and 15.
import { freshAccount, marker } from '../accounts.ts'
import { equal, hasStatus, isOkJson, isProblem } from '../assert.ts'
import { fixture, type Json, section } from '../checks.ts'
import { bodies, submit } from '../fixtures.ts'
import { at } from '../http.ts'
import { readOnly } from '../names.ts'
import { signIn } from '../owner-page.ts'

const test = section('keys')

const owner = fixture('an owner who is signed in', async () => signIn(await freshAccount({ micros: 1_000_000 })))
async function newKey(limits: Json): Promise<string> {
  const { session } = await owner()
  return isOkJson(await at('message').post('/v1/manage/keys', { name: marker(), ...limits }, { key: session }), 201)
    .api_key
}
test('read-only: a read-only key reads its account, and neither posts nor changes anything', async () => {
  const key = await newKey(readOnly)
  hasStatus(await at('message').get('/v1/account', { key }), 200)
  isProblem(await submit('message', bodies['message'](), { key }), 403, undefined, { owner: undefined })
  isProblem(await at('message').patch('/v1/account', { auto_recharge: { enabled: false } }, { key }), 403, undefined, {
    owner: undefined,
  })
})
test('daily-cap: concurrent requests cannot exceed the daily cap of a key', async () => {
  const key = await newKey({ daily_cap_micros: 40_000 })
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => submit('message', bodies['message'](), { key }, { paced: false })),
  )
  equal(replies.filter(({ status }) => status === 202).length, 2, 'posts of 20,000 on a cap of 40,000')
})
