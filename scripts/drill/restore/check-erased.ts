import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { BroadsideProblem } from '../../../clients/typescript/src/index.ts'
import { startService } from '../../../tooling/environment/service.ts'
import type { OwnDatabase } from '../../../tooling/services/databases.ts'
import { type Cast, type Marked, patientClient } from './acts.ts'
import { countInPages } from './compare-pages.ts'

type Erased = { restored: OwnDatabase; pages: string; cast: Cast; lost: readonly Marked[] }

/**
 * Looks for what was erased or withdrawn: in a dump of the restored database, in its pages, by search and by address.
 * What was kept must be found in each of these ways, which shows that the search works.
 */
export async function checkErased({ restored, pages, cast, lost }: Erased) {
  const { author, kept, toDelete, toRemove, erasedBefore, ofLeaver, waiting, leaver } = cast
  const gone = [toDelete, toRemove, erasedBefore, waiting]
  const words = (posts: readonly Marked[]) => posts.map(({ word }) => word)
  // A removed post keeps its text in the database, because its author can appeal.
  const erased = [toDelete, erasedBefore, waiting]
  const [first] = kept as [Marked]
  const inDump = await countInDump(restored.urls.backup, words([...erased, first]))
  const withdrawn = [...words(gone), leaver.id, ...words(lost)]
  const inPages = countInPages(pages, [...withdrawn, ...words([first, ofLeaver])])
  const sum = (counts: ReadonlyMap<string, number>, of: readonly string[]) =>
    of.reduce((total, word) => total + (counts.get(word) ?? 0), 0)
  await using service = await startService({ database: restored })
  const found = {
    database: sum(inDump, words(erased)),
    pages: sum(inPages, withdrawn),
    search: 0,
    by_address: 0,
    keys: 0,
    webhooks: 0,
  }
  const reader = patientClient(service.baseUrl)
  const search = async ({ word }: Marked) => (await reader.searchPosts({ q: word })).body.data.length
  for (const post of gone) {
    found.search += await search(post)
    found.by_address += await countUnless([404, 410], reader.getPost(post.id))
  }
  found.keys = await countUnless([401], patientClient(service.baseUrl, leaver.api_key).getAccount())
  const { body: webhooks } = await patientClient(service.baseUrl, author.api_key).listWebhooks()
  found.webhooks = webhooks.data.filter(({ id }) => id === cast.webhookId).length
  const broken = Object.entries(found).flatMap(([where, count]) =>
    count > 0 ? [`erased data is readable: ${where}`] : [],
  )
  if (sum(inDump, [first.word]) === 0) broken.push('the dump lacks a post that was kept')
  if (sum(inPages, [first.word]) === 0) broken.push('the pages lack a post that was kept')
  if ((await search(first)) !== 1) broken.push('search does not find a post that was kept')
  for (const { id } of [first, ofLeaver])
    if ((await countUnless([404, 410], reader.getPost(id))) === 0)
      broken.push(`a post that was kept has no address: ${id}`)
  if (sum(inPages, [ofLeaver.word]) === 0) broken.push('a published post of the closed account is gone')
  return { found, broken }
}

/** 1 if the call is answered, 0 if it is refused with one of these statuses. Any other error shows nothing. */
async function countUnless(statuses: readonly number[], call: Promise<unknown>): Promise<number> {
  try {
    await call
    return 1
  } catch (error) {
    if (error instanceof BroadsideProblem && statuses.includes(error.status)) return 0
    throw error
  }
}

/** In how many lines of a dump each word is, also in the lower-case and shortened form in which it is found by search. */
async function countInDump(url: string, words: readonly string[]): Promise<Map<string, number>> {
  const stems = words.map((word) => ({ word, stem: word.toLowerCase().slice(0, -2) }))
  const counts = new Map<string, number>()
  const dump = spawn('pg_dump', [url], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(dump, 'close')
  for await (const text of createInterface({ input: dump.stdout })) {
    const line = text.toLowerCase()
    for (const { word, stem } of stems) if (line.includes(stem)) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  const [code] = await ended
  if (code !== 0) throw new Error('broadside_backup could not dump the restored database')
  return counts
}
