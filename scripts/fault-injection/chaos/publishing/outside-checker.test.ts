import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { JournalEntry } from './authors.ts'
import { checkFromOutside } from './outside-checker.ts'

// A checker that finds nothing proves nothing, so it reads a site with known faults here.

const idOf = (letter: string) => `post_${letter.repeat(26)}`
const entry = (letter: string, more: Partial<JournalEntry> = {}): JournalEntry => ({
  ...{
    id: idOf(letter),
    apiKey: 'bsk_key',
    plan: 'keep',
    text: `Text ${letter}`,
    earlierTexts: [],
    submittedAt: 1,
    acknowledgedAt: 2,
  },
  ...more,
})
const removed = { plan: 'remove', withdrawnAt: 2 } as const

const site = new Map<string, string>()
const show = (letter: string, text = `Text ${letter}`) => {
  for (const form of ['', '.json', '.md']) site.set(`/p/${idOf(letter)}${form}`, text)
}
const list = (paths: readonly string[], letters: readonly string[]) => {
  for (const path of paths) site.set(path, `${site.get(path) ?? ''} ${letters.map(idOf).join(' ')}`)
}
const lists = ['/', '/index.json', '/feed.xml', '/sitemaps/1.xml', '/archive/', 'browse']

let baseUrl: string
const server = createServer((request, response) => {
  const { pathname } = new URL(String(request.url), 'http://localhost')
  response.setHeader('content-type', 'application/json')
  if (pathname === '/v1/posts')
    return response.end(
      JSON.stringify({
        data: (site.get('browse') ?? '').match(/post_\w+/g)?.map((id) => ({ id })) ?? [],
        next_cursor: null,
      }),
    )
  if (pathname === '/v1/search') return response.end(site.get('search') ?? '{}')
  if (pathname.startsWith('/v1/posts/')) return response.end(JSON.stringify({ status: 'published' }))
  if (pathname === '/sitemap.xml') return response.end(`<loc>${baseUrl}/sitemaps/1.xml</loc>`)
  const text = site.get(pathname)
  response.statusCode = text === undefined ? 410 : 200
  return response.end(text)
})
before(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
after(() => server.close())

const check = async (...journal: JournalEntry[]) => {
  const createAccounts = async () => [{ id: 'reader', apiKey: 'bsk_key' }]
  return (await checkFromOutside({ baseUrl, createAccounts }, journal)).map((fault) => fault.replace(/: post_.*/, ''))
}

describe('the checker that reads the sites from outside', () => {
  test('finds nothing if readers see what the authors were told', async () => {
    site.clear()
    show('a')
    list(lists, ['a'])
    list(['/deleted.json'], ['b'])
    assert.deepEqual(await check(entry('a'), entry('b', removed)), [])
  })

  test('finds a withdrawn post on its page, in lists and in search, and a missing tombstone', async () => {
    site.clear()
    show('b')
    list(['/feed.xml', 'browse'], ['b'])
    site.set('search', JSON.stringify(idOf('b')))
    assert.deepEqual(await check(entry('b', removed)), [
      'a withdrawn post is readable (200 200 200)',
      'a withdrawn post is in browse, /feed.xml',
      'a removed post has no tombstone',
      'a withdrawn post is found by search',
    ])
  })

  test('finds a lost post, a wrong text, a lost edit, and a post that nobody submitted', async () => {
    site.clear()
    show('c', 'Another text')
    show('d', 'Before the edit')
    list(lists, ['a', 'c', 'd', 'e'])
    const edited = entry('d', { earlierTexts: ['Before the edit'] })
    const found = await check(entry('a'), entry('c'), edited)
    assert.deepEqual(found.slice(0, 3).sort(), [
      'a page shows another text',
      'a published post is not readable (410 410 410)',
      'an accepted edit is not shown',
    ])
    assert.ok(found.includes('a post that nobody submitted is in sitemap'))
  })

  test('finds two submissions with the same id, and a published post that lists do not show', async () => {
    site.clear()
    show('a')
    const found = await check(entry('a'), entry('a'))
    assert.ok(found.includes('1 submissions got the id of another one'))
    assert.ok(found.includes('a published post is missing in sitemap'))
  })
})
