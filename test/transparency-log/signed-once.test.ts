// Runs alone: it takes long.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { verifyPost } from '../../clients/typescript/src/verify/index.ts'
import { closeAccount } from '../../src/accounts/deletion/close-account.ts'
import { sitesFromSettings } from '../../src/bin/sites.ts'
import { type Kind, kinds } from '../../src/kinds/index.ts'
import { connect, inTransaction } from '../../src/platform/database/database.ts'
import { enqueuePostPages } from '../../src/posts/status/change-status.ts'
import { rebuildSite } from '../../src/publishing/rebuild/rebuild-site.ts'
import { siteViews } from '../../src/publishing/views.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { times } from '../../tooling/test-length.ts'
import { newText } from '../support/drafts/draft-fixture.ts'

let service: Service
const message = kinds[0] as Kind
before(async () => {
  service = await startService({ judges: true })
})
after(() => service[Symbol.asyncDispose]())

const read = async (path: string) => (await fetch(service.baseUrl + path)).text()

/** Each signature comes with an entry for the log. */
async function countSignatures(): Promise<number> {
  const [row] = await service.asOwner<{ count: string }>(
    "select count(*) from log_queue where type in ('post', 'edit') and commitment is not null",
  )
  return Number(row?.count)
}

type Customer = Awaited<ReturnType<Service['createCustomer']>>
type Living = { author: Customer; id: string; isClosed: boolean; edits: number }
const show = ({ id }: Living) => service.asWorker((tx) => enqueuePostPages(tx, id))

/** What happens to a post and its author, and whether it is an accepted edit. */
const steps: Record<string, (post: Living) => Promise<unknown>> = {
  edit: async (post) => {
    if (post.isClosed) return
    const { status } = await post.author.client.editPost(post.id, { text: newText() })
    assert.equal(status, 202)
    post.edits += 1
  },
  rename: async (post) => {
    await service.asOwner("update accounts set name = name || ' II' where id = $1", [post.author.id])
    await show(post)
  },
  'win a domain': async (post) => {
    if (post.isClosed) return
    const set = "domain = 'example.com', verified_domain = 'example.com', domain_checked_at = now()"
    await service.asOwner(`update accounts set ${set} where id = $1`, [post.author.id])
    await show(post)
  },
  'lose the domain': async (post) => {
    const set = 'domain = null, verified_domain = null, domain_checked_at = null'
    await service.asOwner(`update accounts set ${set} where id = $1`, [post.author.id])
    await show(post)
  },
  'close the account': async (post) => {
    if (post.isClosed) return
    await using owner = connect(service.database.urls.owner_page, { poolMax: 1, applicationName: 'test' })
    await inTransaction(owner.db, (tx) => closeAccount(tx, { accountId: post.author.id, at: service.clock.now() }))
    post.isClosed = true
  },
  'rebuild the site': async () => {
    const site = siteViews(sitesFromSettings(service.baseUrls)).get(message.name)
    assert(site)
    await rebuildSite({
      ...{ db: service.workerDb, clock: service.clock, databaseUrl: service.database.urls.worker },
      ...{ site, pages: service.pages, threads: 1, documents: new Map(), onProgress: () => {} },
    })
  },
}

async function publish(): Promise<Living> {
  const author = await service.createCustomer()
  const { body } = await author.client.submitPost({ text: newText() })
  assert('id' in body)
  await service.settle()
  return { author, id: body.id, isClosed: false, edits: 0 }
}

async function assertVerified({ id, isClosed, edits }: Living) {
  const [post, address] = [await read(`/p/${id}.json`), `${service.baseUrl}/p/${id}`]
  const { isVerified, checks } = await verifyPost({ post, address, now: service.clock.now() })
  assert(isVerified, JSON.stringify(checks))
  const { revision, author_id, content } = JSON.parse(post)
  assert.equal(revision, 1 + edits)
  assert.deepEqual([author_id === null, content.author.name === 'Deleted account'], [isClosed, isClosed])
  assert.deepEqual(JSON.parse(await read(`/v1/posts/${id}`)), JSON.parse(post))
}

test('a post is signed once, and once more with each accepted edit; whatever else happens, it verifies', async () => {
  const all = Object.keys(steps)
  const histories = fc.array(fc.constantFrom(...all), { minLength: 1, maxLength: 8 })
  const property = fc.asyncProperty(histories, async (history) => {
    const before = await countSignatures()
    const post = await publish()
    await assertVerified(post)
    for (const name of history) {
      await steps[name]?.(post)
      await service.settle()
      await assertVerified(post)
      assert.equal((await countSignatures()) - before, 1 + post.edits, name)
    }
  })
  await fc.assert(property, {
    numRuns: times({ whole: 40, short: 4 }),
    examples: [[['edit', ...all]]],
    endOnFailure: true,
  })
})
