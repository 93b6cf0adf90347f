import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { examineBucket } from '../../src/bin/doctor/probes/pages.ts'
import { sitesFromSettings } from '../../src/bin/sites.ts'
import { type Kind, kinds } from '../../src/kinds/index.ts'
import { removePost } from '../../src/moderation/decisions/decide-by-person.ts'
import { connect } from '../../src/platform/database/database.ts'
import { asAdministrator } from '../../src/platform/database/database-setup.ts'
import { openPages, type PagesPlace } from '../../src/platform/page-store/open-pages.ts'
import { publishPost } from '../../src/publishing/jobs/publish-post.ts'
import { openPublishing, type PublishedSite } from '../../src/publishing/publishing.ts'
import { type Rebuild, rebuildSite } from '../../src/publishing/rebuild/rebuild-site.ts'
import { siteViews } from '../../src/publishing/views.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { startHoldingProxy } from '../../tooling/network/holding-proxy.ts'
import { newBucketSettings, startObjectStore } from '../../tooling/services/object-store.ts'
import { waitFor } from '../../tooling/services/state.ts'

const kind = kinds.find(({ name }) => name === 'message') as Kind
let service: Service
let bucket: Extract<PagesPlace, { s3: object }>
let isDown = false
let proxy: Awaited<ReturnType<typeof startHoldingProxy>>
before(async () => {
  const store = await newBucketSettings(await startObjectStore())
  const endpoint = store.PAGES_S3_ENDPOINT
  proxy = await startHoldingProxy({ target: endpoint, treat: () => (isDown ? 503 : 'forward') })
  service = await startService({ judges: true, settings: { ...store, PAGES_S3_ENDPOINT: proxy.url } })
  assert('s3' in service.pages)
  bucket = { s3: { ...service.pages.s3, endpoint }, keepsOldTreesMs: 0 }
})
after(async () => {
  await service[Symbol.asyncDispose]()
  await proxy[Symbol.asyncDispose]()
})

async function submit(text: string): Promise<string> {
  const author = await service.createCustomer()
  const { body } = await author.client.submitPost({ text, topics: ['ferries'] } as never)
  return 'id' in body ? body.id : ''
}

async function publish(text: string): Promise<string> {
  const id = await submit(text)
  await service.settle()
  return id
}

async function remove(postId: string): Promise<void> {
  const by = { postId, actor: 'operator:test', at: service.clock.now() }
  assert.ok(await service.asOperator((tx, sites) => removePost(tx, sites, { ...by, category: 'spam' })))
  await service.settle()
}

const formsOf = (id: string) => [`/p/${id}`, `/p/${id}.json`, `/p/${id}.md`]
/** The gateway keeps a response for a second. */
const becomes = (path: string, status: number) =>
  waitFor(async () => (await fetch(`${service.baseUrl}${path}`)).status === status, `${path} is ${status}`)

test('a post is published to a bucket, and gone after its removal', async () => {
  const id = await publish('The night ferry to the islands sails again from the first of May.')
  for (const path of [...formsOf(id), '/', '/topics/ferries/', '/topics/ferries/feed.xml']) await becomes(path, 200)
  assert.match(await (await fetch(`${service.baseUrl}/p/${id}`)).text(), /The night ferry/)
  await remove(id)
  for (const path of formsOf(id)) await becomes(path, 410)
  await waitFor(async () => {
    const response = await fetch(`${service.baseUrl}/topics/ferries/index.json`)
    return !(await response.text()).includes(id)
  }, 'the list is without the post')
})

const openIn = async (db: Service['workerDb'], place = bucket) =>
  openPublishing({
    ...{ db, clock: service.clock, pages: openPages(place), delays: { lists: 0, others: 0 } },
    sites: sitesFromSettings(service.baseUrls),
  })

test('a worker that is paused and loses its lock does not bring back a removed post, not even for a moment', async () => {
  const id = await publish('The harbour library lends charts of the sound for a week at a time.')
  const applicationName = 'paused worker'
  await using connection = connect(service.database.urls.worker, { poolMax: 2, applicationName })
  const publishing = await openIn(connection.db)
  const { store, view } = publishing.sites.get(kind.name) as PublishedSite
  const paused: PublishedSite = {
    view,
    store: {
      ...store,
      apply: async (files, fence) => {
        await asAdministrator(service.database.adminUrl, (admin) =>
          admin.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
            applicationName,
          ]),
        )
        await remove(id)
        const written = store.apply(files, fence)
        await assert.rejects(written, /a newer version of .* was written meanwhile/)
        assert.equal(await store.has(`p/${id.slice(-2)}/${id}.html`), false)
        return written
      },
    },
  }
  await assert.rejects(publishPost({ ...publishing, sites: new Map([[kind.name, paused]]) }, { post_id: id }))
  for (const path of formsOf(id)) await becomes(path, 410)
})

test('what is published while the store is down appears when it is back', async () => {
  isDown = true
  const id = await submit('A chandler on the quay repairs oilskins while you wait, on weekdays.')
  await waitFor(async () => {
    const [row] = await service.asOwner<{ failed: number }>(
      "select count(*) as failed from pgboss.job_common where name = 'publish-post' and retry_count > 0",
    )
    return Number(row?.failed) > 0
  }, 'a job has failed')
  isDown = false
  await becomes(`/p/${id}`, 200)
})

const rebuild = (options: Partial<Rebuild> = {}) =>
  rebuildSite({
    ...{ db: service.workerDb, clock: service.clock, databaseUrl: service.database.urls.worker },
    site: siteViews(sitesFromSettings(service.baseUrls)).get(kind.name) as Rebuild['site'],
    ...{ pages: bucket, threads: 1, documents: new Map(), onProgress: () => {} },
    ...options,
  })

test('an interrupted rebuild continues, readers see the new tree, and the old one is deleted', async () => {
  const [kept, removed] = [
    await publish('The tide tables for the coming year are printed and free at the office.'),
    await publish('The pilot boat has a new engine and leaves the mole at six every morning.'),
  ]
  const before = await (await fetch(`${service.baseUrl}/p/${kept}`)).text()
  await assert.rejects(
    rebuild({
      onProgress: () => {
        throw new Error('killed')
      },
    }),
    /killed/,
  )
  await remove(removed)
  const rebuilt = await rebuild({ documents: new Map([['docs/index.html', 'Documents.']]) })
  assert.equal(rebuilt.isResumed, true)
  await becomes('/docs/', 200)
  await becomes(`/p/${removed}`, 410)
  assert.equal(await (await fetch(`${service.baseUrl}/p/${kept}`)).text(), before)
  await using pages = openPages(bucket)
  assert.equal((await pages.client?.list(`${kind.site.slug}/`, { delimiter: '/' }))?.folders.length, 1)
  assert.equal((await rebuild()).isResumed, false)
  await becomes(`/p/${kept}`, 200)
})

test('the doctor accepts the bucket, and finds what is wrong with others', async () => {
  const { createBucket, ...s3 } = await startObjectStore()
  const check = async (name: string) => {
    await using pages = openPages({ s3: { ...s3, bucket: name } })
    const found = await examineBucket(pages.client as NonNullable<typeof pages.client>)
    return found
      .map((finding) => finding?.cause ?? '')
      .join(' ')
      .trim()
  }
  assert.equal(await check(bucket.s3.bucket), '')
  assert.match(await check('no-such-bucket'), /cannot be used: PUT .*404 NoSuchBucket/)
  const versioned = await createBucket()
  await using pages = openPages({ s3: { ...s3, bucket: versioned } })
  const body = '<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>'
  await pages.client?.send({ method: 'PUT', query: { versioning: '' }, body })
  await pages.client?.send({ method: 'DELETE', query: { policy: '' } })
  assert.match(await check(versioned), /has versioning.*ignores conditional writes.*Readers cannot read/)
})
