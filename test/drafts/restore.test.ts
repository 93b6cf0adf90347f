import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sitesFromSettings } from '../../src/bin/sites.ts'
import { replayErasures } from '../../src/erasures/replay-erasures.ts'
import { connect } from '../../src/platform/database/database.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { createAuthor, decide, submitDraftOf } from '../support/drafts/draft-fixture.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service[Symbol.asyncDispose]())

test('a declined or cancelled draft is noted for the erasure log; one that expires or is submitted is not', async () => {
  const author = await createAuthor(service)
  const [declined, cancelled, waiting] = await Promise.all([1, 2, 3].map(() => submitDraftOf(author.waiting)))
  await decide(service, author.id, 'decline', [String(declined?.id)])
  await author.waiting.cancelDraft(String(cancelled?.id))
  await decide(service, author.id, 'approve', [String(waiting?.id)])
  const noted = await service.asOwner<{ subject: string }>(
    "select subject from erasures where kind = 'draft.withdrawn' order by id",
  )
  assert.deepEqual(
    noted.map(({ subject }) => subject),
    [declined?.id, cancelled?.id],
  )
})

test('after a restore, a draft that was withdrawn since does not come back', async () => {
  const author = await createAuthor(service)
  const publishAt = new Date(service.clock.now().getTime() + 3_600_000)
  const { id } = await submitDraftOf(author.client, { publishAt })
  await using owner = connect(service.database.urls.migrator, { poolMax: 1, applicationName: 'test replay' })
  const at = service.clock.now()
  const erasures = [
    { at, kind: 'draft.withdrawn' as const, id },
    { at, kind: 'draft.withdrawn' as const, id: `draft_0${'1'.repeat(25)}` },
  ]
  const replay = () =>
    replayErasures({ db: owner.db, sites: sitesFromSettings(service.baseUrls), erasures, actor: 'operator:test', at })
  assert.deepEqual((await replay())['draft.withdrawn'], { done: 1, already: 0, absent: 1 })
  const { state, content } = (await author.client.getDraft(id)).body
  assert.deepEqual([state, content], ['cancelled', null])
  assert.deepEqual((await replay())['draft.withdrawn'], { done: 0, already: 1, absent: 1 })
})
