import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { startHoldingProxy, type Treatment } from '../../../../tooling/network/holding-proxy.ts'
import { startObjectStore } from '../../../../tooling/services/object-store.ts'
import { openPages, type PagesPlace } from '../open-pages.ts'
import { type Files, type SiteStore, StaleWrite, withdrawn } from '../site-store.ts'

let place: Extract<PagesPlace, { s3: object }>
before(async () => {
  const { createBucket, ...s3 } = await startObjectStore()
  place = { s3: { ...s3, bucket: await createBucket() }, keepsOldTreesMs: 0 }
})

const forms = ['html', 'json', 'md', 'png']
const fileOf = (post: string, form: string) => `p/ab/${post}.${form}`
const published = (post: string, text: string): Files =>
  new Map<string, string | null>([
    ...forms.map((form) => [fileOf(post, form), `${text} as ${form}`] as const),
    [fileOf(post, 'gone'), null],
  ])
const removed = (post: string): Files =>
  new Map<string, string | typeof withdrawn>([
    [fileOf(post, 'gone'), ''],
    ...forms.map((form) => [fileOf(post, form), withdrawn] as const),
  ])

let fences = 0

type Writer = { site: SiteStore; holdAt: (request: number) => Promise<void>; release: () => void } & AsyncDisposable

/** A writer whose requests pass a proxy, which holds one of them. */
async function openWriter(): Promise<Writer> {
  let [seen, heldAt] = [0, 0]
  let [reached, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const proxy = await startHoldingProxy({
    target: place.s3.endpoint,
    treat: async () => {
      if (++seen === heldAt) {
        reached.resolve()
        await released.promise
      }
      return 'forward' as const
    },
  })
  const pages = openPages({ ...place, s3: { ...place.s3, endpoint: proxy.url } })
  return {
    site: await pages.openSite('messages'),
    holdAt: (request) => {
      ;[reached, released] = [Promise.withResolvers(), Promise.withResolvers()]
      ;[seen, heldAt] = [0, request]
      return reached.promise
    },
    release: () => released.resolve(),
    [Symbol.asyncDispose]: async () => {
      released.resolve()
      await pages[Symbol.asyncDispose]()
      await proxy[Symbol.asyncDispose]()
    },
  }
}

/**
 * Runs `late` again and again, each time held at another of its requests while `meanwhile` runs, until it has no more
 * requests to hold. Returns how often it was held.
 */
async function holdEverywhere(prepare: (round: number, writer: Writer) => Promise<Scene>): Promise<number> {
  for (let round = 1; round < 100; round++) {
    await using writer = await openWriter()
    const { late, meanwhile, check } = await prepare(round, writer)
    const held = writer.holdAt(round)
    const writing = late().then(
      () => 'done',
      (error) => {
        if (error instanceof StaleWrite) return 'stale'
        throw error
      },
    )
    const isHeld = (await Promise.race([held.then(() => 'held'), writing])) === 'held'
    if (!isHeld) return round - 1
    await meanwhile()
    writer.release()
    await writing
    await check(round)
  }
  throw new Error('the writer never ends')
}
type Scene = {
  late: () => Promise<unknown>
  meanwhile: () => Promise<unknown>
  check: (round: number) => Promise<void>
}

const befores: Record<string, (post: string, writer: Writer, other: SiteStore) => Promise<unknown>> = {
  'of a new post': async () => {},
  'of a post that it has published before': (post, { site }) => site.apply(published(post, 'old'), ++fences),
  'of a post that another process has published': (post, _, other) => other.apply(published(post, 'old'), ++fences),
}

for (const [name, prepare] of Object.entries(befores))
  test(`a writer that is held between any two requests does not undo a withdrawal ${name}`, async () => {
    await using pages = openPages(place)
    const other = await pages.openSite('messages')
    const times = await holdEverywhere(async (round, writer) => {
      const post = `post_${name.length}_${round}`
      await prepare(post, writer, other)
      const [older, newer] = [++fences, ++fences]
      return {
        late: () => writer.site.apply(published(post, 'secret'), older),
        meanwhile: () => other.apply(removed(post), newer),
        check: async () => {
          for (const form of forms)
            assert.equal(await other.read(fileOf(post, form)), undefined, `held at request ${round}: ${form}`)
          assert.ok(await other.has(fileOf(post, 'gone')), `held at request ${round}`)
        },
      }
    })
    assert.ok(times >= 6, `held ${times} times`)
  })

test('a writer that is held does not replace a list, even if the newer writer wrote the same bytes as before', async () => {
  await using pages = openPages(place)
  const other = await pages.openSite('messages')
  const path = 'topics/ferries/index.html'
  const times = await holdEverywhere(async (round, { site }) => {
    await site.apply(new Map([[path, 'without']]), ++fences)
    const [older, newer] = [++fences, ++fences]
    return {
      late: () => site.apply(new Map([[path, 'with the withdrawn post']]), older),
      meanwhile: () => other.apply(new Map([[path, 'without']]), newer),
      check: async () => assert.equal(String(await other.read(path)), 'without', `held at request ${round}`),
    }
  })
  assert.ok(times >= 1, `held ${times} times`)
})

test('a writer that is held does not bring back a list that has become empty', async () => {
  await using pages = openPages(place)
  const other = await pages.openSite('messages')
  await holdEverywhere(async (round, { site }) => {
    const path = `topics/topic-${round}/index.html`
    const [older, newer] = [++fences, ++fences]
    return {
      late: () => site.apply(new Map([[path, 'with the withdrawn post']]), older),
      meanwhile: () => other.apply(new Map([[path, withdrawn]]), newer),
      check: async () => assert.equal(await other.has(path), false, `held at request ${round}`),
    }
  })
})

test('a rebuild that is held at any request of its swap does not replace the tree of a newer rebuild', async () => {
  await using pages = openPages(place)
  const other = await pages.openSite('messages')
  const times = await holdEverywhere(async (round, { site }) => {
    await site.deleteNext()
    await site.writeProgress('older')
    await site.next().apply(new Map([['index.html', 'older']]), ++fences)
    return {
      late: () => site.swap().catch(() => {}),
      meanwhile: async () => {
        await other.deleteNext()
        await other.writeProgress('newer')
        await other.next().apply(new Map([['index.html', 'newer']]), ++fences)
        await other.swap()
        await other.finishSwap()
      },
      check: async () => assert.equal(String(await other.read('index.html')), 'newer', `held at request ${round}`),
    }
  })
  assert.ok(times >= 2, `held ${times} times`)
})

/** A site behind a proxy that treats the given requests in this way. */
async function openDisturbed(treat: (number: number, method: string) => Treatment) {
  let number = 0
  const proxy = await startHoldingProxy({
    target: place.s3.endpoint,
    treat: ({ method }) => treat(++number, String(method)),
  })
  const pages = openPages({ ...place, s3: { ...place.s3, endpoint: proxy.url } })
  const close = async () => {
    await pages[Symbol.asyncDispose]()
    await proxy[Symbol.asyncDispose]()
  }
  return { site: await pages.openSite('disturbed'), [Symbol.asyncDispose]: close }
}

test('requests that fail or whose responses are lost are repeated, and nothing is written twice', async () => {
  const treatments: Treatment[] = ['cut', 'drop', 503]
  for (const [at, treatment] of treatments.entries()) {
    let isQuiet = true
    // In a pattern that meets every request of a write.
    const fails = [0, 3, 5, 9]
    await using disturbed = await openDisturbed((number) =>
      isQuiet || !fails.includes(number % 11) ? 'forward' : treatment,
    )
    isQuiet = false
    const { site } = disturbed
    const post = `post_disturbed_${at}`
    await site.apply(published(post, 'text'), ++fences)
    assert.equal(String(await site.read(fileOf(post, 'html'))), 'text as html')
    await site.apply(removed(post), ++fences)
    assert.equal(await site.has(fileOf(post, 'html')), false)
  }
})

test('a store that is down fails the call, and the next call succeeds', async () => {
  let isDown = false
  await using disturbed = await openDisturbed(() => (isDown ? 503 : 'forward'))
  const { site } = disturbed
  isDown = true
  await assert.rejects(site.apply(new Map([['index.html', 'text']]), ++fences), /503/)
  isDown = false
  assert.equal(await site.apply(new Map([['index.html', 'text']]), ++fences), 1)
})
