import { request } from 'node:http'
import type { Service } from '../../tooling/environment/service.ts'
import { unescaped } from './pages/links-in.ts'
import { mainText } from './pages/read-page.ts'
import { seedListedPost } from './posts/create-post.ts'
import { tricks } from './posts/hostile-text.ts'

const dayMs = 86_400_000
/** Far from midnight, so that the day does not change while a test runs. */
const noon = Date.parse('2026-11-15T12:00:00Z')

const lisbon = { country: 'PT', state: 'PT-11', city: { geonames_id: 2267057, name: 'Lisbon' } }

export const hostileMessages = tricks
  .filter((trick) => /[<>&"']/.test(trick) && !/\p{Cc}/u.test(trick))
  .map((trick) => `zephyr ${trick} zephyr`)

/** The first three mention ferries; each is a day older than the previous one. */
const posts: { kind: string; body: object }[] = [
  { kind: 'message', body: { text: 'The ferry from Cacilhas is late again.', topics: ['ferries'], location: lisbon } },
  { kind: 'story', body: { title: 'The last ferry', body: longStory('A ferryman waited for nobody.') } },
  { kind: 'classified', body: { title: 'Ferry model, wood', body: 'Handmade, one metre long.', category: 'for-sale' } },
  ...hostileMessages.map((text) => ({ kind: 'message', body: { text } })),
  ...Array.from({ length: 22 }, (_, number) => ({ kind: 'message', body: { text: `Quince number ${number + 1}.` } })),
]

/** An ad with a price and a place, and an event. */
const others: { kind: string; body: object }[] = [
  {
    kind: 'classified',
    body: {
      title: 'Tandem, two years old',
      body: 'Ridden along the river, always kept inside.',
      category: 'vehicles',
      price: { amount: 1450, currency: 'EUR' },
      condition: 'good',
      location: { country: 'PT', state: 'PT-11' },
    },
  },
  {
    kind: 'event',
    body: {
      title: 'Open evening at the observatory',
      body: 'Bring warm clothes and somebody who likes stars.',
      timezone: 'Europe/Lisbon',
      starts_at: '2030-06-15T18:00:00+01:00',
      ends_at: '2030-06-15T22:00:00+01:00',
    },
  },
]

/** The match is far from the beginning. */
function longStory(sentence: string): string {
  const filler = 'Rain fell on the harbour and on the roofs of the old town. '
  return `${filler.repeat(20)}\n\n${sentence} ${filler.repeat(20)}`
}

type Headers = Record<string, string>
const asPerson = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

export type SearchFixture = Awaited<ReturnType<typeof seedSearchPosts>>

/** Adds posts to search and sets the clock; returns the ways to open the search page. */
export async function seedSearchPosts(service: Service) {
  service.clock.setOffset(0)
  service.clock.setOffset(noon - service.clock.now().getTime())
  const { id: accountId } = await service.createAccount()
  for (const [days, { kind, body }] of posts.entries())
    await seedListedPost(service, { kind, body, accountId, publishedAt: new Date(noon - days * dayMs) })
  for (const { kind, body } of others)
    await seedListedPost(service, { kind, body, accountId, publishedAt: new Date(noon - dayMs) })
  return {
    /** This many days ago, as a date for the form. */
    day: (ago: number) => new Date(noon - ago * dayMs).toISOString().slice(0, 10),
    open: async (path: string, headers: Headers = {}, method = 'GET', at = service.baseUrl) => {
      const response = await fetch(at + path, { method, headers: { ...asPerson, ...headers } })
      const page = await response.text()
      return { status: response.status, headers: response.headers, page, text: mainText(page) }
    },
    /** With the headers that only a browser sets: fetch overrides them. */
    openAsBrowser: (path: string, headers: Headers, method = 'GET') =>
      exchange(service.baseUrl + path, { method, headers: { ...asPerson, ...headers } }),
  }
}

function exchange(url: string, options: { method: string; headers: Headers }) {
  return new Promise<{ status: number; page: string }>((resolve, reject) => {
    const sent = request(url, options, async (response) => {
      const page = (await response.toArray()).join('')
      resolve({ status: Number(response.statusCode), page })
    })
    sent.on('error', reject).end()
  })
}

export const marksIn = (page: string) => [...page.matchAll(/<mark>([^<]*)<\/mark>/g)].map(([, text]) => text)
export const resultsIn = (page: string) => [...page.matchAll(/<h3[^>]*><a href="([^"]*)"/g)].map(([, href]) => href)
export const nextIn = (page: string) => unescaped(/rel="next nofollow" href="([^"]*)"/.exec(page)?.[1] ?? '')
