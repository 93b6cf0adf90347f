import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kinds } from '../../src/kinds/index.ts'
import { removePost } from '../../src/moderation/decisions/decide-by-person.ts'
import { startService } from '../../tooling/environment/service.ts'
import { publishAsModel } from '../support/posts/publish-as-model.ts'

test('a post that staff remove after its account was closed loses its text, and its page answers 410', async () => {
  await using service = await startService({ judges: true })
  const [kind] = kinds
  assert(kind)
  const { id: accountId } = await service.createAccount()
  const postId = await publishAsModel(service, { kind, accountId, changes: {} })
  await service.settle()
  await service.asOwner('select close_account($1, $2)', [accountId, service.clock.now()])
  const removal = { postId, actor: 'operator:test', at: service.clock.now(), category: 'personal_data' } as const
  await service.asOperator((tx, sites) => removePost(tx, sites, removal))
  await service.settle()
  const [post] = await service.asOwner<{ status: string; content: unknown }>(
    'select status, content from posts where id = $1',
    [postId],
  )
  assert.deepEqual(post, { status: 'deleted', content: null })
  assert.equal((await fetch(`${service.baseUrl}/p/${postId}`)).status, 410)
})
