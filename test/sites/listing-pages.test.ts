import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sitesFromSettings } from '../../src/bin/sites.ts'
import { type Kind, kinds } from '../../src/kinds/index.ts'
import { removePost } from '../../src/moderation/decisions/decide-by-person.ts'
import { clearAccount } from '../../src/posts/deletion.ts'
import { listingPageSize } from '../../src/publishing/views.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { kindNamed } from '../support/posts/create-post.ts'
import { publishAsModel } from '../support/posts/publish-as-model.ts'

const message = kindNamed('message')
const classified = kindNamed('classified')
const event = kindNamed('event')

let service: Service
let author: string
before(async () => {
  service = await startService({ judges: true, pageDelays: { lists: 0.2, others: 0.2 } })
  author = (await service.createAccount()).id
})
after(() => service[Symbol.asyncDispose]())

const publish = (kind: Kind, changes: object, accountId = author) =>
  publishAsModel(service, { kind, accountId, changes })

const addressOf = (kind: Kind, path: string) => `${service.baseUrls[kind.name]}${path}`
const read = (kind: Kind, path: string) => fetch(addressOf(kind, path))
const textOf = async (kind: Kind, path: string) => {
  const response = await read(kind, path)
  assert.equal(response.status, 200, path)
  return response.text()
}
const postsIn = (page: string) => [
  ...new Set(page.matchAll(/href="\/p\/(post_[0-9a-z]{26})"/g).map(([, id]) => String(id))),
]
const linkIn = (page: string, rel: string) => page.match(new RegExp(`rel="${rel}" href="([^"]+)"`))?.[1]

/** All posts of a listing, from the newest page to the oldest, by its own links. */
async function walk(kind: Kind, path: string): Promise<{ ids: string[]; paths: string[] }> {
  const ids: string[] = []
  const paths: string[] = []
  for (let next: string | undefined = path; next; ) {
    const page: string = await textOf(kind, next)
    paths.push(next)
    ids.push(...postsIn(page))
    next = linkIn(page, 'next')
  }
  return { ids, paths }
}

/** Publishes so many messages about walks, and returns their ids. */
async function publishWalks(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let number = 1; number <= count; number++)
    ids.push(await publish(message, { text: `Message number ${number} of many.`, topics: ['walks'] }))
  await service.settle()
  return ids
}

test('a reader reaches every post of a topic through its pages and feeds, and a full page stays until its posts are removed', async () => {
  const ids = await publishWalks(3 * listingPageSize + 5)
  const { ids: found, paths } = await walk(message, '/topics/walks/')
  assert.deepEqual(found.toSorted(), ids.toSorted(), 'each once')
  assert.deepEqual(paths, ['/topics/walks/', '/topics/walks/3/', '/topics/walks/2/'])
  for (const path of paths) {
    const page = postsIn(await textOf(message, path))
    assert.deepEqual(page, page.toSorted().toReversed(), `${path}: newest first`)
  }
  // Workers list concurrently, so the numbers of posts of the same second can differ from their dates.
  const full = await textOf(message, '/topics/walks/2/')
  assert.ok(postsIn(full).filter((id) => ids.indexOf(id) < listingPageSize).length > listingPageSize / 2)

  await publishWalks(listingPageSize)
  assert.equal(await textOf(message, '/topics/walks/2/'), full, 'more posts change nothing')
  assert.deepEqual(postsIn(await textOf(message, '/topics/walks/5/')).length, listingPageSize)

  for (const id of postsIn(await textOf(message, '/topics/walks/3/'))) await remove(id)
  await service.settle()
  assert.equal((await read(message, '/topics/walks/3/')).status, 404)
  const left = await walk(message, '/topics/walks/')
  assert.deepEqual(left.paths, ['/topics/walks/', '/topics/walks/4/', '/topics/walks/2/'])
  assert.equal(linkIn(await textOf(message, '/topics/walks/2/'), 'prev'), '/topics/walks/4/')
  await assertFeedsLeadOn(left.ids)
})

const remove = (postId: string) =>
  service.asOperator((tx, sites) =>
    removePost(tx, sites, { postId, actor: 'operator:test', at: service.clock.now(), category: 'low_quality' }),
  )

/** RFC 5005 archives in RSS, next_url in JSON Feed. */
async function assertFeedsLeadOn(shown: readonly string[]): Promise<void> {
  const ids = new Set<string>()
  type Feed = { next_url?: string; items: { url: string }[] }
  for (let url: string | undefined = addressOf(message, '/topics/walks/index.json'); url; ) {
    const feed: Feed = (await (await fetch(url)).json()) as Feed
    for (const item of feed.items) ids.add(item.url.slice(-31))
    url = feed.next_url
  }
  assert.deepEqual([...ids].sort(), shown.toSorted())
  const current = await textOf(message, '/topics/walks/feed.xml')
  assert.match(current, /rel="prev-archive" [^>]*\/topics\/walks\/5\/feed\.xml"/)
  assert.doesNotMatch(current, /<fh:archive\/>/)
  const archive = await textOf(message, '/topics/walks/4/feed.xml')
  assert.match(archive, /<fh:archive\/>/)
  assert.match(archive, /rel="current" [^>]*\/topics\/walks\/feed\.xml"/)
  assert.match(archive, /rel="next-archive" [^>]*\/topics\/walks\/5\/feed\.xml"/)
}

test('ads are listed by category, events by month and online', async () => {
  const ad = await publish(classified, { category: 'housing', topics: [] })
  const soon = (days: number) => new Date(service.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 19)
  const meeting = await publish(event, {
    ...{ timezone: 'UTC', starts_at: `${soon(0.5)}Z`, ends_at: `${soon(1.5)}Z`, topics: [], location: undefined },
  })
  await service.settle()
  assert.ok(postsIn(await textOf(classified, '/categories/housing/')).includes(ad))
  assert.match(await textOf(classified, '/categories/'), /href="\/categories\/housing\/"/)
  assert.ok(postsIn(await textOf(event, `/months/${soon(0.5).slice(0, 7)}/`)).includes(meeting))
  assert.ok(postsIn(await textOf(event, '/online/')).includes(meeting))
  assert.match(await textOf(event, '/online/events.ics'), new RegExp(meeting))
})

test('a month links to the nearest months with events, also after one of them has gone', async () => {
  const inMonth = (month: string) =>
    publish(event, {
      ...{ timezone: 'UTC', starts_at: `${month}-28T10:00:00Z`, ends_at: `${month}-28T12:00:00Z`, topics: [] },
    })
  await inMonth('2031-01')
  await inMonth('2031-04')
  await service.settle()
  const linksOf = async (month: string) => {
    const pager = /<nav class="pager" aria-label="Months">.*?<\/nav>/s.exec(
      await textOf(event, `/months/${month}/`),
    )?.[0]
    return [
      ...String(pager)
        .matchAll(/href="\/months\/([^"]+)\/"/g)
        .map(([, found]) => found),
    ]
  }
  assert.equal((await linksOf('2031-01')).at(-1), '2031-04')
  const between = await inMonth('2031-02')
  await service.settle()
  assert.equal((await linksOf('2031-01')).at(-1), '2031-02')
  assert.deepEqual(await linksOf('2031-02'), ['2031-01', '2031-04'])
  assert.deepEqual(await linksOf('2031-04'), ['2031-02'])
  await remove(between)
  await service.settle()
  assert.deepEqual(await linksOf('2031-04'), ['2031-01'])
  assert.equal((await linksOf('2031-01')).at(-1), '2031-04')
})

test('an author’s page shows the posts of all sites and disappears when the account closes', async () => {
  const { id, name } = await service.createAccount()
  const here = await publish(message, { text: 'A message by the second author.', topics: [] }, id)
  const there = await publish(classified, { title: 'A lamp by the second author' }, id)
  await service.settle()
  const page = await textOf(message, `/by/${id}/`)
  assert.ok(page.includes(String(name)))
  assert.deepEqual(postsIn(page), [here])
  assert.match(page, new RegExp(`/p/${there}"`))
  assert.deepEqual(postsIn(await textOf(classified, `/by/${id}/`)), [there])
  assert.match(await textOf(event, `/by/${id}/`), /This author has no events here/)
  const feed = (await (await read(message, `/by/${id}/index.json`)).json()) as { items: unknown[] }
  assert.equal(feed.items.length, 1)
  await service.asOwner('select close_account($1, $2)', [id, service.clock.now()])
  await clearAccount({
    ...{ db: service.workerDb, sites: sitesFromSettings(service.baseUrls) },
    ...{ accountId: id, at: service.clock.now() },
  })
  await service.settle()
  for (const kind of kinds)
    for (const path of [`/by/${id}/`, `/by/${id}/index.json`, `/by/${id}/feed.xml`]) {
      const response = await fetch(addressOf(kind, path), { headers: { accept: 'application/json' } })
      assert.equal(response.status, 410, `${kind.name} ${path}`)
      assert.equal(((await response.json()) as { code: string }).code, 'author_gone')
    }
  assert.equal((await read(message, `/by/${id.replace(/.$/, '0')}x/`)).status, 404)
  assert.doesNotMatch(await textOf(message, `/p/${here}`), new RegExp(`/by/${id}`))
})
