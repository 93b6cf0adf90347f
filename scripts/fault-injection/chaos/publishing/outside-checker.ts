import { openApiClient } from '../../../../tooling/clients/api-client.ts'
import { inParallel } from '../../../../tooling/in-parallel.ts'
import type { Environment } from '../environment.ts'
import type { JournalEntry } from './authors.ts'

/** What readers can see of all posts, read through the gateway only. */
type Shown = {
  /** The ids that each list shows. */
  lists: Map<string, Set<string>>
  tombstones: Set<string>
}

const idPattern = /post_[0-9a-z]{26}/g
const idsIn = (text: string) => new Set(text.match(idPattern) ?? [])

/** Lists that must show every published post, and lists that show the newest ones. */
const completeLists = ['sitemap', 'archive', 'browse'] as const

/**
 * Compares what readers see with what the authors were told: pages, feeds, lists, archive, sitemap, tombstones, search
 * and balances. It knows the service only by its addresses, not by its code.
 */
export async function checkFromOutside(
  { baseUrl, createAccounts }: Pick<Environment, 'baseUrl' | 'createAccounts'>,
  journal: readonly JournalEntry[],
): Promise<string[]> {
  const reader = openReader(baseUrl)
  const shown = await reader.everything()
  const faults: string[] = []
  const fault = (what: string, { id }: JournalEntry) => faults.push(`${what}: ${id}`)

  await inParallel(journal, async (entry) => {
    const [page, json, markdown] = await Promise.all([
      reader.get(`/p/${entry.id}`),
      reader.get(`/p/${entry.id}.json`),
      reader.get(`/p/${entry.id}.md`),
    ])
    const statuses = [page.status, json.status, markdown.status].join(' ')
    const inLists = [...shown.lists].filter(([, ids]) => ids.has(entry.id)).map(([name]) => name)
    if (entry.withdrawnAt) {
      if (!['410 410 410', '404 404 404'].includes(statuses)) fault(`a withdrawn post is readable (${statuses})`, entry)
      if (inLists.length > 0) fault(`a withdrawn post is in ${inLists.join(', ')}`, entry)
      if (entry.plan === 'remove' && !shown.tombstones.has(entry.id)) fault('a removed post has no tombstone', entry)
      return
    }
    const { status, edit } = await ownRecord(baseUrl, entry)
    if (status === 'review') {
      if (statuses !== '404 404 404') fault(`a post in review is readable (${statuses})`, entry)
      return
    }
    if (status !== 'published') fault(`an acknowledged post is ${status}`, entry)
    else if (statuses !== '200 200 200') fault(`a published post is not readable (${statuses})`, entry)
    else if (!json.text.includes(entry.text) || !markdown.text.includes(entry.text)) {
      const isEarlier = entry.earlierTexts.some((text) => json.text.includes(text))
      if (!(isEarlier && edit === 'review'))
        fault(isEarlier ? 'an accepted edit is not shown' : 'a page shows another text', entry)
    }
    for (const name of completeLists)
      if (!shown.lists.get(name)?.has(entry.id)) fault(`a published post is missing in ${name}`, entry)
    if (shown.tombstones.has(entry.id)) fault('a published post has a tombstone', entry)
  })

  const doubled = journal.length - new Set(journal.map(({ id }) => id)).size
  if (doubled > 0) faults.push(`${doubled} submissions got the id of another one`)
  const known = new Set(journal.map(({ id }) => id))
  for (const [name, ids] of shown.lists)
    for (const id of ids) if (!known.has(id)) faults.push(`a post that nobody submitted is in ${name}: ${id}`)
  const [searcher] = await createAccounts(1, 100_000_000)
  if (searcher) faults.push(...(await checkSearch(baseUrl, searcher.apiKey, journal)))
  return faults
}

function openReader(baseUrl: string) {
  const get = async (path: string) => {
    const response = await fetch(new URL(path, baseUrl), { redirect: 'manual' })
    return { status: response.status, text: await response.text() }
  }
  const linked = (text: string, pattern: RegExp) => [
    ...new Set([...text.matchAll(pattern)].map(([, link]) => `${link}`)),
  ]

  async function sitemap(): Promise<Set<string>> {
    const ids = new Set<string>()
    const index = await get('/sitemap.xml')
    for (const part of linked(index.text, /<loc>([^<]+\.xml)<\/loc>/g))
      for (const id of idsIn((await get(new URL(part).pathname)).text)) ids.add(id)
    return ids
  }

  /** Follows the links from month to month and page to page. */
  async function archive(): Promise<Set<string>> {
    const ids = new Set<string>()
    const seen = new Set<string>(['/archive/'])
    for (const path of seen) {
      const { text } = await get(path)
      for (const id of idsIn(text)) ids.add(id)
      for (const next of linked(text, /href="(\/archive\/[^"#]*)"/g)) seen.add(next)
    }
    return ids
  }

  async function browse(): Promise<Set<string>> {
    const ids = new Set<string>()
    let cursor: string | undefined
    do {
      const client = openApiClient({ baseUrl, maxRetries: 10 })
      const { body } = await client.browsePosts({ limit: 100, ...(cursor && { cursor }) } as never)
      for (const { id } of body.data) ids.add(id)
      cursor = body.next_cursor ?? undefined
    } while (cursor)
    return ids
  }

  return {
    get,
    everything: async (): Promise<Shown> => {
      const lists = new Map<string, Set<string>>()
      lists.set('sitemap', await sitemap())
      lists.set('archive', await archive())
      lists.set('browse', await browse())
      for (const path of ['/', '/index.json', '/feed.xml']) lists.set(path, idsIn((await get(path)).text))
      return { lists, tombstones: idsIn((await get('/deleted.json')).text) }
    },
  }
}

const clientWith = (baseUrl: string, apiKey: string) => openApiClient({ baseUrl, apiKey, maxRetries: 10 })

async function ownRecord(baseUrl: string, { apiKey, id }: JournalEntry) {
  const { body } = await clientWith(baseUrl, apiKey).getPost(id)
  return 'status' in body ? { status: body.status, edit: body.edit?.status } : { status: 'unknown', edit: undefined }
}

/** Searches for the words of the posts that were withdrawn last. */
async function checkSearch(baseUrl: string, apiKey: string, journal: readonly JournalEntry[]): Promise<string[]> {
  const client = clientWith(baseUrl, apiKey)
  const faults: string[] = []
  for (const { id, text } of journal.filter(({ withdrawnAt }) => withdrawnAt).slice(-50)) {
    const words = text.match(/\p{L}+/gu) ?? []
    const { body } = await client.searchPosts({ q: words.join(' ') })
    if (JSON.stringify(body).includes(id)) faults.push(`a withdrawn post is found by search: ${id}`)
  }
  return faults
}
