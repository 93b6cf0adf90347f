import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { startObjectStore } from '../../../tooling/services/object-store.ts'
import { times } from '../../../tooling/test-length.ts'
import { openPages, type Pages, type PagesPlace } from './open-pages.ts'
import { type SiteStore, StaleWrite, withdrawn } from './site-store.ts'

let places: { directory: PagesPlace; s3: PagesPlace }
let folder: string
before(async () => {
  const { createBucket, ...s3 } = await startObjectStore()
  folder = await mkdtemp(join(tmpdir(), 'broadside-drivers-'))
  places = { directory: { directory: folder }, s3: { s3: { ...s3, bucket: await createBucket() }, keepsOldTreesMs: 0 } }
})
after(() => rm(folder, { recursive: true, force: true }))

const paths = ['index.html', 'p/ab/x.html', 'p/ab/x.json', 'p/ab/x.png', 'p/ab/x.gone', 'topics/ferries/feed.xml']
const isMarker = (path: string) => path.endsWith('gone')

type Content = string | null | typeof withdrawn
type Model = Map<string, { content: Content; fence: number }>

/** `stale`: the fence is older than that of a newer writer, which only S3 compares. */
type Step =
  | { do: 'apply' | 'stale' | 'fill'; by: 0 | 1; files: [string, Content][]; hasFence: boolean }
  | { do: 'begin' | 'swap'; by: 0 | 1 }

const file = fc
  .tuple(
    fc.constantFrom(...paths),
    fc.oneof(
      fc.constantFrom(null, withdrawn),
      fc.string({ minLength: 1, maxLength: 30 }),
      fc.constant('long '.repeat(120)),
    ),
  )
  .map(([path, content]): [string, Content] => [path, isMarker(path) && typeof content === 'string' ? '' : content])
const by = fc.constantFrom(0 as const, 1 as const)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('apply' as const), by, files: fc.array(file), hasFence: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('stale' as const),
      by,
      files: fc.array(file, { minLength: 1 }),
      hasFence: fc.constant(true),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('fill' as const), by, files: fc.array(file), hasFence: fc.constant(true) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('begin' as const, 'swap' as const), by }) },
)

let sites = 0
let fences = 100

/** Two processes on one site. */
async function openTwice(place: PagesPlace, name: string): Promise<[SiteStore, SiteStore] & AsyncDisposable> {
  const pages: Pages[] = [openPages(place), openPages(place)]
  const opened = await Promise.all(pages.map((one) => one.openSite(name)))
  const close = async () => void (await Promise.all(pages.map((one) => one[Symbol.asyncDispose]())))
  return Object.assign(opened as [SiteStore, SiteStore], { [Symbol.asyncDispose]: close })
}

const change = (model: Model, files: [string, Content][], fence: number) => {
  for (const [path, content] of new Map(files)) model.set(path, { content, fence })
}

async function assertSame(store: Pick<SiteStore, 'read' | 'has'>, model: Model, name: string): Promise<void> {
  const check = async (path: string) => {
    const content = model.get(path)?.content
    const expected = typeof content === 'string' ? content : undefined
    assert.equal((await store.read(path))?.toString(), expected, `${name} ${path}`)
    assert.equal(await store.has(path), expected !== undefined, `${name} ${path}`)
  }
  await Promise.all(paths.map(check))
}

async function runSteps(steps: readonly Step[]): Promise<void> {
  const name = `site-${++sites}`
  await using directory = await openTwice(places.directory, name)
  await using s3 = await openTwice(places.s3, name)
  const both = { directory, s3 }
  let live: Model = new Map()
  let next: Model | undefined
  for (const now of steps) {
    const fence = ++fences
    const given = 'hasFence' in now && now.hasFence ? fence : undefined
    const files = 'files' in now ? new Map(now.files) : new Map()
    if (now.do === 'stale') {
      // Another process has written a newer version of the first file.
      const [path, content] = now.files[0] as [string, Content]
      const newer = new Map([[path, isMarker(path) ? '' : 'newer']])
      for (const pair of Object.values(both)) await pair[0].apply(newer, fence)
      change(live, [...newer], fence)
      await assert.rejects(s3[now.by].apply(new Map([[path, content]]), fence - 1), StaleWrite)
    }
    for (const [driver, pair] of Object.entries(both)) {
      const site = pair[now.by]
      if (now.do === 'apply') await site.apply(files, given)
      if (now.do === 'begin' && !next) {
        await site.deleteNext()
        await site.writeProgress('{}')
      }
      // As a rebuild does when it continues.
      if (next) assert.equal(await site.readProgress(), '{}')
      if (now.do === 'fill' && next) await site.next().apply(files, given)
      if (now.do === 'swap' && next) {
        await assertSame(site.next(), next, `${driver} next`)
        await site.swap()
        assert.equal(await pair[1 - now.by]?.readUnfinishedSwap(), '{}')
        await site.finishSwap()
        await site.deleteOldTrees()
      }
    }
    if (now.do === 'apply') change(live, now.files, fence)
    if (now.do === 'fill' && next) change(next, now.files, fence)
    if (now.do === 'swap' && next) [live, next] = [next, undefined]
    if (now.do === 'begin') next ??= new Map()
    for (const [driver, pair] of Object.entries(both)) await assertSame(pair[1 - now.by] as SiteStore, live, driver)
  }
}

test('both drivers return the same after random steps of two processes', async () => {
  const [length, runs] = [40, times({ whole: 130, short: 5 })]
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: length, maxLength: length }), runSteps), {
    numRuns: runs,
    endOnFailure: true,
  })
})

test('a path cannot lead out of the tree, in either driver', async () => {
  for (const place of Object.values(places)) {
    await using pages = openPages(place)
    const site = await pages.openSite('hostile')
    const hostile = ['../a', 'a/../../b', '/etc/x', '.hidden', 'a b', '', 'a//b', 'a/', 'a?x=1', 'a%2f..', 'a#b', 'ä']
    for (const path of [...hostile, 'a'.repeat(2_000)]) {
      await assert.rejects(site.apply(new Map([[path, 'x']])), path)
      await assert.rejects(site.read(path), path)
    }
    assert.equal(await site.has('.well-known/security.txt'), false)
  }
})
