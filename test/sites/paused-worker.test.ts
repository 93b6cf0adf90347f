import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { after, before, mock, test } from 'node:test'
import { sitesFromSettings } from '../../src/bin/sites.ts'
import { enqueueSoon } from '../../src/jobs/enqueue.ts'
import type { JobName, JobPayload } from '../../src/jobs/jobs.ts'
import type { Kind } from '../../src/kinds/index.ts'
import { kinds } from '../../src/kinds/index.ts'
import { removePost } from '../../src/moderation/decisions/decide-by-person.ts'
import { connect, type Database, inTransaction } from '../../src/platform/database/database.ts'
import { asAdministrator } from '../../src/platform/database/database-setup.ts'
import { publicBytesOf, thumbprintOf } from '../../src/platform/ed25519.ts'
import { openPages } from '../../src/platform/page-store/open-pages.ts'
import type { SiteStore } from '../../src/platform/page-store/site-store.ts'
import { buildPage } from '../../src/publishing/jobs/build-page.ts'
import { publishPost } from '../../src/publishing/jobs/publish-post.ts'
import { repairPages } from '../../src/publishing/jobs/repair-pages.ts'
import { writeProof } from '../../src/publishing/jobs/write-proof.ts'
import { postView, selectPostPages } from '../../src/publishing/listings/read-posts.ts'
import { openPublishing, type PublishedSite, type Publishing } from '../../src/publishing/publishing.ts'
import { rebuildSite } from '../../src/publishing/rebuild/rebuild-site.ts'
import { filesOfPost, postFile } from '../../src/publishing/site-files.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { waitFor } from '../../tooling/services/state.ts'

const kind = kinds.find(({ name }) => name === 'message') as Kind
let service: Service
before(async () => {
  service = await startService({ judges: true })
})
after(() => service[Symbol.asyncDispose]())

const applicationName = 'paused worker'

/**
 * A worker that is stopped between reading a row and its first write, as by SIGSTOP or a hung disk: the server ends its
 * session, which releases its locks. It continues after `meanwhile`.
 */
async function pausedWorker(meanwhile: () => Promise<void>): Promise<Publishing & AsyncDisposable> {
  const connection = connect(service.database.urls.worker, { poolMax: 2, applicationName })
  const publishing = await openTestPublishing(connection.db)
  let isPaused = false
  const pauseFirst = (store: SiteStore): SiteStore => ({
    ...store,
    apply: async (files, fence) => {
      if (!isPaused) {
        isPaused = true
        await endSessions()
        await meanwhile()
      }
      return store.apply(files, fence)
    },
  })
  const sites = new Map(
    [...publishing.sites].map(([name, site]) => [name, { ...site, store: pauseFirst(site.store) }] as const),
  )
  return { ...publishing, sites, [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose]() }
}

const openTestPublishing = (db: Database) =>
  openPublishing({
    ...{ db, clock: service.clock, pages: openPages(service.pages), delays: { lists: 0, others: 0 } },
    sites: sitesFromSettings(service.baseUrls),
  })

/** What the server does with a session that is idle in a transaction for too long. */
const endSessions = () =>
  asAdministrator(service.database.adminUrl, (admin) =>
    admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = $1 and state like 'idle in transaction%'`,
      [applicationName],
    ),
  )

async function publishMessage(text: string): Promise<string> {
  const author = await service.createCustomer()
  const { body } = await author.client.submitPost({ text, topics: ['ferries'] } as never)
  await service.settle()
  return 'id' in body ? body.id : ''
}

async function remove(postId: string): Promise<void> {
  const by = { postId, actor: 'operator:test', at: service.clock.now() }
  assert.ok(await service.asOperator((tx, sites) => removePost(tx, sites, { ...by, category: 'spam' })))
  await service.settle()
}

const statusOf = async (path: string) => (await fetch(`${service.baseUrl}${path}`)).status

test('a paused worker does not bring back the page of a post that was removed meanwhile', async () => {
  const id = await publishMessage('The night ferry to the islands sails again from the first of May.')
  await using worker = await pausedWorker(() => remove(id))
  await assert.rejects(publishPost(worker, { post_id: id }))
  await service.settle()
  assert.deepEqual(
    [await statusOf(`/p/${id}`), await statusOf(`/p/${id}.json`), await statusOf(`/p/${id}.md`)],
    [410, 410, 410],
  )
})

test('a paused worker does not bring back the proof of a post that was removed meanwhile', async () => {
  const id = await publishMessage('Divers checked the chain of the outer mooring buoy on Tuesday.')
  assert.equal(await statusOf(`/p/${id}.tlog-proof`), 200)
  await using worker = await pausedWorker(() => remove(id))
  await assert.rejects(writeProof(worker, { post_id: id }))
  await service.settle()
  assert.equal(await statusOf(`/p/${id}.tlog-proof`), 410)
})

test('a removal waits for a signature that is being made, and takes its salt away', async () => {
  const id = await publishMessage('The signal mast on the mole has had a new coat of white paint.')
  await service.asOwner('delete from post_proofs where post_id = $1', [id])
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const keyId = thumbprintOf(publicBytesOf(publicKey))
  await service.asOwner('insert into signing_keys values ($1, $2, now())', [keyId, publicBytesOf(publicKey)])
  const log = await service.workerDb.selectFrom('log_head').select('origin').executeTakeFirstOrThrow()
  await using connection = connect(service.database.urls.worker, { poolMax: 2, applicationName })
  const publishing = await openTestPublishing(connection.db)
  const site = publishing.sites.get(kind.name) as PublishedSite
  let removal: Promise<void> | undefined
  const store: SiteStore = {
    ...site.store,
    apply: async (files, fence) => {
      removal = remove(id)
      await Promise.race([removal, untilLocked()])
      return site.store.apply(files, fence)
    },
  }
  const signing: PublishedSite = { ...site, store, signer: { privateKey, keyId, logOrigin: log.origin } }
  await publishPost({ ...publishing, sites: new Map([[kind.name, signing]]) }, { post_id: id })
  await removal
  assert.deepEqual(await service.asOwner('select from post_proofs where post_id = $1', [id]), [])
})

const untilLocked = () =>
  waitFor(
    () =>
      asAdministrator(service.database.adminUrl, async (admin) => {
        const { rowCount } = await admin.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        )
        return Number(rowCount) > 0
      }),
    'the removal to wait',
  )

test('a paused worker does not bring a removed post back to a listing', async () => {
  const id = await publishMessage('The harbour library lends charts of the sound for a week at a time.')
  await using worker = await pausedWorker(() => remove(id))
  await assert.rejects(buildPage(worker, { kind: kind.name, page: 'shelf:topics/ferries' }))
  await service.settle()
  for (const file of ['index.html', 'index.json', 'feed.xml'].map(
    (name) => `/topics/ferries/${name === 'index.html' ? '' : name}`,
  )) {
    const response = await fetch(`${service.baseUrl}${file}`)
    assert.doesNotMatch(await response.text(), new RegExp(id), file)
  }
})

/** The files of a post as a worker wrote them that read its row at this time. */
async function filesNow(site: PublishedSite, id: string) {
  const row = await selectPostPages(service.workerDb).where('posts.id', '=', id).executeTakeFirstOrThrow()
  return filesOfPost(site.view, id, postView(site.view, row))
}

let offset = 0
const inAMinute = () => {
  offset += 60_000
  service.clock.setOffset(offset)
}

test('if the paused worker dies before it notices, a sweep withdraws the post again from page and listings', async () => {
  const publishing = await openTestPublishing(service.workerDb)
  const site = publishing.sites.get(kind.name) as PublishedSite
  const id = await publishMessage('A chandler on the quay repairs oilskins while you wait, on weekdays.')
  const [stale, staleList] = [await filesNow(site, id), await readFiles(site, listNames)]
  assert.match(String(staleList.get('topics/ferries/index.html')), new RegExp(id))
  await remove(id)
  await site.store.apply(new Map([...stale, ...staleList]))
  assert.equal(await statusOf(`/p/${id}`), 200)
  inAMinute()
  assert.deepEqual(await repairPages(publishing), { posts: 1, pages: 1, trees: 0 })
  await service.settle()
  assert.equal(await statusOf(`/p/${id}`), 410)
  assert.doesNotMatch(String((await readFiles(site, listNames)).get('topics/ferries/index.html')), new RegExp(id))
  assert.deepEqual(await repairPages(publishing), { posts: 0, pages: 0, trees: 0 })
})

const listNames = ['index.html', 'index.json', 'feed.xml'].map((name) => `topics/ferries/${name}`)

const readFiles = async ({ store }: PublishedSite, paths: readonly string[]) =>
  new Map(await Promise.all(paths.map(async (path) => [path, (await store.read(path)) ?? null] as const)))

test('the sweep leaves files alone that a waiting job is going to write', async () => {
  const publishing = await openTestPublishing(service.workerDb)
  const site = publishing.sites.get(kind.name) as PublishedSite
  const id = await publishMessage('The lamp of the outer beacon is replaced, and burns brighter than before.')
  const stale = [...(await filesNow(site, id)), ...(await readFiles(site, listNames))]
  await remove(id)
  const lost = await publishMessage('The new weighbridge at the fish market opens for everybody on Thursday.')
  await site.store.apply(new Map([...stale, [postFile(lost, 'html'), null]]))
  inAMinute()
  const repairedWhile = async <Name extends JobName>(name: Name, payloads: JobPayload<Name>[]) => {
    const jobs = payloads.map((payload, index) => ({ payload, once: `waits ${index}`, delaySeconds: 3_600 }))
    await inTransaction(service.workerDb, (tx) => enqueueSoon(tx, name, jobs))
    const repaired = await repairPages(publishing)
    await service.asOwner("delete from pgboss.job_common where singleton_key like 'waits %'")
    return repaired
  }
  const posts = [{ post_id: id }, { post_id: lost }]
  for (const name of ['publish-post', 'list-post'] as const)
    assert.deepEqual(await repairedWhile(name, posts), { posts: 0, pages: 0, trees: 0 })
  const list = { kind: kind.name, page: 'shelf:topics/ferries' }
  assert.deepEqual(await repairedWhile('build-page', [list]), { posts: 2, pages: 0, trees: 0 })
  await service.settle()
})

test('a post that mentions a withdrawn one is not mistaken for it', async () => {
  const publishing = await openTestPublishing(service.workerDb)
  const id = await publishMessage('The harbour master answers questions about moorings on Friday afternoons.')
  const url = `${service.baseUrl}/p/${id}`
  const link = `<link>${url}</link> "url": "${url}" href="/p/${id}"`
  const quoting = await publishMessage(`About the answers on moorings, as a reader wrote: ${link} was worth reading.`)
  await remove(id)
  inAMinute()
  assert.deepEqual(await repairPages(publishing), { posts: 0, pages: 0, trees: 0 })
  assert.match(await (await fetch(`${service.baseUrl}/topics/ferries/index.json`)).text(), new RegExp(quoting))
})

test('a sweep publishes a post whose job or files were lost', async () => {
  const publishing = await openTestPublishing(service.workerDb)
  const site = publishing.sites.get(kind.name) as PublishedSite
  const id = await publishMessage('The tide tables for the coming year are printed and free at the office.')
  await site.store.apply(new Map([[postFile(id, 'html'), null]]))
  assert.equal(await statusOf(`/p/${id}`), 404)
  inAMinute()
  assert.equal((await repairPages(publishing)).posts, 1)
  await service.settle()
  assert.equal(await statusOf(`/p/${id}`), 200)
})

/** Rebuilds the site. Just before the swap, the rebuild is paused, and continues after `meanwhile`. */
async function pausedRebuild(meanwhile: () => Promise<void>): Promise<void> {
  await using connection = connect(service.database.urls.worker, { poolMax: 2, applicationName })
  const site = (await openTestPublishing(connection.db)).sites.get(kind.name) as PublishedSite
  const rename = promises.rename
  let isPaused = false
  mock.method(promises, 'rename', async (from: string, to: string) => {
    if (!isPaused && from.endsWith('.next')) {
      isPaused = true
      await endSessions()
      await meanwhile()
    }
    return rename(from, to)
  })
  syncBuiltinESMExports()
  try {
    await rebuildSite({
      ...{ db: connection.db, clock: service.clock, databaseUrl: service.database.urls.worker, site: site.view },
      ...{ pages: service.pages, threads: 1, documents: new Map(), onProgress: () => {} },
    })
  } finally {
    mock.restoreAll()
    syncBuiltinESMExports()
  }
  assert.ok(isPaused)
}

test('a rebuild that is paused before its swap does not bring back a post that was removed meanwhile', async () => {
  const id = await publishMessage('The pilot boat has a new engine and leaves the mole at six every morning.')
  await pausedRebuild(() => remove(id))
  assert.equal(await statusOf(`/p/${id}`), 410)
  assert.equal(await statusOf('/'), 200)
})

test('if a rebuild dies right after its swap, a sweep applies what it lacks', async () => {
  const publishing = await openTestPublishing(service.workerDb)
  const site = publishing.sites.get(kind.name) as PublishedSite
  const id = await publishMessage('The net loft opens its doors to visitors on the second Sunday of June.')
  const stale = await filesNow(site, id)
  const [row] = await service.asOwner<{ version: string }>('select last_value as version from page_versions')
  await remove(id)
  await site.store.apply(stale)
  const progress = { version: Number(row?.version), startedAt: '', maker: '', postsDone: '', shelvesDone: null }
  const live = join(service.pagesDirectory, kind.site.slug)
  await promises.writeFile(join(live, '.rebuild.json'), JSON.stringify(progress))
  assert.equal((await repairPages(publishing)).trees, 1)
  assert.equal(await statusOf(`/p/${id}`), 410)
  assert.equal((await repairPages(publishing)).trees, 0)
})
