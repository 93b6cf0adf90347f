import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { startService } from '../../../tooling/environment/service.ts'
import { waitFor } from '../../../tooling/services/state.ts'
import { kinds } from '../../kinds/index.ts'
import { newId } from '../../platform/identifiers.ts'

test('the status has the model’s state and the number of queued posts', async () => {
  await using service = await startService()
  const readStatus = async () => {
    const { body } = await service.client().getStatus()
    return { state: body.moderation.state, queued: body.queued_posts }
  }
  assert.deepEqual(await readStatus(), { state: 'idle', queued: 0 })
  const at = service.clock.now()
  const { id: accountId } = await service.createAccount()
  for (let count = 0; count < 3; count += 1)
    await service.asOwner(
      `insert into posts (id, account_id, kind, status, content, facets, created_at)
       values ($1, $2, 'message', 'queued', '{"text": "x"}', '{}', $3)`,
      [newId('post', at), accountId, at],
    )
  await service.asOwner("update model_status set state = 'starting'")
  // A reading is shared for a tenth of a second.
  await waitFor(async () => isDeepStrictEqual(await readStatus(), { state: 'starting', queued: 3 }), 'the new state')
})

test('the status names every site, first that for messages', async () => {
  await using service = await startService()
  const { sites } = (await service.client(undefined, 'event').getStatus()).body
  assert.deepEqual(
    sites.map(({ kind }) => kind),
    kinds.map(({ name }) => name),
  )
  assert.equal(sites[0]?.kind, 'message')
  for (const { kind, url } of sites) assert.equal(url, service.baseUrls[kind])
})
