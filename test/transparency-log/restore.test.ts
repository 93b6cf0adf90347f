import assert from 'node:assert/strict'
import { cp, readlink, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { verifyPost } from '../../clients/typescript/src/verify/index.ts'
import { kinds } from '../../src/kinds/index.ts'
import { inTransaction } from '../../src/platform/database/database.ts'
import { enqueuePostPages } from '../../src/posts/status/change-status.ts'
import { publishingLock } from '../../src/transparency-log/publish-files.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { publishAsModel } from '../support/posts/publish-as-model.ts'
import { keepState } from '../support/transparency-log.ts'

async function publish(service: Service): Promise<string> {
  const [kind] = kinds
  assert(kind)
  const id = await publishAsModel(service, { kind, accountId: (await service.createAccount()).id, changes: {} })
  await service.settle()
  return `${service.baseUrl}/p/${id}`
}

async function verify(address: string, last?: string) {
  const post = await (await fetch(`${address}.json`)).text()
  return verifyPost({ post, address, ...(last !== undefined && { lastVisit: () => last }) })
}

test('a reader who comes back notices that database and files were restored to an earlier time', async () => {
  await using service = await startService({ judges: true })
  const early = await publish(service)
  const restore = await keepState(service)
  const live = join(service.pagesDirectory, await readlink(join(service.pagesDirectory, 'log')))
  await cp(live, `${live}-kept`, { recursive: true })
  const late = await publish(service)
  const seen = await verify(late)
  assert(seen.isVerified && seen.checkpoint)

  await inTransaction(service.workerDb, async (tx) => {
    // No worker may compare one with the other before both are restored.
    await sql`select set_config('idle_in_transaction_session_timeout', '10000', true), pg_advisory_xact_lock(${publishingLock})`.execute(
      tx,
    )
    await restore()
    await rm(live, { recursive: true })
    await cp(`${live}-kept`, live, { recursive: true })
  })
  const smaller = await verify(early, seen.checkpoint.note)
  assert.equal(smaller.checks.find(({ outcome }) => outcome === 'failed')?.code, 'smaller_size')
  assert((await verify(early)).isVerified, 'a reader who comes for the first time notices nothing')

  // The log grows again, with another entry in the place of the lost one.
  await publish(service)
  await publish(service)
  const forked = await verify(early, seen.checkpoint.note)
  assert.equal(forked.checks.find(({ outcome }) => outcome === 'failed')?.name, 'continuity')
})

test('a post that was published without the key gets its signature and its proof with its files', async () => {
  await using service = await startService({ judges: true })
  const address = await publish(service)
  const signed = await (await fetch(`${address}.json`)).json()
  await service.asOwner('delete from post_proofs')
  await service.asWorker((tx) => enqueuePostPages(tx, (signed as { id: string }).id))
  await service.settle()
  assert((await verify(address)).isVerified)
})
