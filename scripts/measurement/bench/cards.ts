import { setImmediate as turn } from 'node:timers/promises'
import { kinds } from '../../../src/kinds/index.ts'
import { settings } from '../../../src/platform/settings/settings.ts'
import { examplePublicPost } from '../../../src/posts/public/public-post.ts'
import { cardOf, type PostCard } from '../../../src/publishing/cards/post-card.ts'
import { openRenderer } from '../../../src/publishing/cards/render-card.ts'
import { filesOfPost } from '../../../src/publishing/site-files.ts'
import type { SiteView } from '../../../src/publishing/views.ts'
import { difficultTexts } from '../../../tooling/fixtures/hostile-texts.ts'
import { readOptions, wholeNumber } from '../../../tooling/script-options.ts'

/** Measures cards in this thread, where processor time can be read, compared with the other files of the same posts. */
export async function benchCards(args: string[]): Promise<void> {
  const { rounds } = readOptions(args, { rounds: wholeNumber(20) })
  const [render, startMs] = await measure(() => openRenderer(settings.FONTS_DIRECTORY.parse(undefined)))
  console.log(JSON.stringify({ bench: 'cards', start_ms: round(startMs), resident_mb: residentMb() }))
  const examples = kinds.map((kind) => ({ name: kind.name, site: siteOf(kind), post: examplePublicPost(kind) }))
  const [first] = examples
  const cards: Record<string, PostCard> = {
    ...Object.fromEntries(examples.map(({ name, site, post }) => [name, cardOf(site.kind, post)])),
    ...(first &&
      Object.fromEntries(
        Object.entries(difficultTexts).map(([name, text]) => [name, { ...cardOf(first.site.kind, first.post), text }]),
      )),
  }
  for (const [card, given] of Object.entries(cards)) {
    // The first drawing of a text fills caches of glyphs.
    const [png, firstMs] = await measure(() => render(given))
    const times: number[] = []
    for (let done = 0; done < rounds; done++) times.push((await measure(() => render(given)))[1])
    console.log(JSON.stringify({ card, bytes: png.length, first_ms: round(firstMs), ms: round(median(times)) }))
  }
  const others: number[] = []
  for (let done = 0; done < rounds * 20; done++)
    for (const { site, post } of examples)
      others.push((await measure(() => filesOfPost(site, post.id, { post, isOver: false })))[1])
  const mean = others.reduce((sum, ms) => sum + ms, 0) / others.length
  console.log(JSON.stringify({ other_files_ms: Math.round(mean * 100) / 100, resident_mb: residentMb() }))
}

function siteOf(kind: (typeof kinds)[number]): SiteView {
  const baseUrl = `https://${kind.site.slug}.example`
  const family = kinds.map((each) => ({ ...each.site, kind: each.name, definition: each, baseUrl }))
  return { kind, baseUrl, family }
}

/** In milliseconds of this thread's processor time. */
async function measure<T>(work: () => T): Promise<[T, number]> {
  const before = process.threadCpuUsage()
  const result = work()
  const { user, system } = process.threadCpuUsage(before)
  await turn()
  return [result, (user + system) / 1_000]
}

const median = (values: readonly number[]) => values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0
const round = (ms: number) => Math.round(ms * 10) / 10
const residentMb = () => Math.round(process.memoryUsage.rss() / 1e6)
