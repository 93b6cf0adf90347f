// Posts that wait: decisions 15 (publish_at), docs/features.md.
import { eventually, freshAccount } from '../accounts.ts'
import { equal, isOkJson, isString } from '../assert.ts'
import { section } from '../checks.ts'
import { bodies, publicPost, submit } from '../fixtures.ts'
import { at } from '../http.ts'
import { draftOf, listOf, statusOfDraft } from '../names.ts'

const test = section('drafts')

async function scheduled(seconds: number) {
  const account = await freshAccount({ micros: 100_000 })
  const publish_at = new Date(Date.now() + seconds * 1000).toISOString()
  const reply = await submit('message', bodies['message'](), account, { query: { publish_at } })
  const draft = draftOf(isOkJson(reply, 202))
  isString(draft.id)
  equal(statusOfDraft(draft), 'scheduled', 'status of the draft')
  const read = async () => draftOf(isOkJson(await at('message').get(`/v1/drafts/${draft.id}`, { key: account.key })))
  return { account, draft, read }
}
test('scheduled: a post with publish_at is kept, charged when it is due, and published', async () => {
  const { account, draft, read } = await scheduled(5)
  equal(await account.balance(), 100_000, 'balance before it is due')
  equal(listOf(await at('message').get('/v1/drafts', { key: account.key }))[0]?.id, draft.id, 'first draft of the list')
  const id = await eventually(async () => {
    const { post_id } = await read()
    isString(post_id)
    return post_id
  }, 120)
  await eventually(() => publicPost('message', id), 60)
  equal(await account.balance(), 80_000, 'balance afterwards')
})
test('withdrawn: a draft that is withdrawn costs nothing and is not submitted', async () => {
  const { account, draft, read } = await scheduled(3600)
  isOkJson(await at('message').delete(`/v1/drafts/${draft.id}`, { key: account.key }))
  equal(statusOfDraft(await read()), 'cancelled', 'status of the draft')
  equal(await account.balance(), 100_000, 'balance')
})
