import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { type Service, startService } from '../../../tooling/environment/service.ts'
import { nameOf, publishCorpus, type Query, readQueries } from './corpus.ts'
import { ndcgAtTen } from './ndcg.ts'

export type Score = { name: string; query: Query; value: number; found: readonly string[] }
export type Measured = { mean: number; scores: readonly Score[] }

/** Runs every judged query on a service that contains only the corpus. */
export async function measureSearch(): Promise<Measured> {
  await using service = await startService()
  const names = await publishCorpus(service)
  const scores: Score[] = []
  for (const query of readQueries()) {
    const ids = query.typed ? await askPage(service, query) : await askApi(service, query)
    const found = ids.map((id) => names.get(id) ?? id)
    scores.push({ name: nameOf(query), query, value: ndcgAtTen(found, query.judged), found })
  }
  return { mean: scores.reduce((sum, { value }) => sum + value, 0) / scores.length, scores }
}

function parametersOf({ q, kind, topic, country, sort }: Query): URLSearchParams {
  const given = Object.entries({ q, kind, topic, country, sort }).filter(([, value]) => value !== undefined)
  return new URLSearchParams(given as [string, string][])
}

async function askApi({ baseUrl }: Service, query: Query): Promise<string[]> {
  const response = await fetch(`${baseUrl}/v1/search?${parametersOf(query)}&limit=10`)
  assert.equal(response.status, 200, `${nameOf(query)}: ${response.status}`)
  const { data } = (await response.json()) as { data: { id: string }[] }
  return data.map(({ id }) => id)
}

/**
 * The search page, whose results are links to posts. An empty kind means all sites; without one, the page searches its
 * own site. Not with `fetch`, whose headers mark a request without a user: for
 * those the page does not search.
 */
async function askPage({ baseUrl }: Service, query: Query): Promise<string[]> {
  const url = `${baseUrl}/search?${parametersOf({ ...query, kind: query.kind ?? '' })}`
  const [response] = (await once(get(url, { headers: { accept: 'text/html' } }), 'response')) as [IncomingMessage]
  const page = await text(response)
  assert.equal(response.statusCode, 200, `${nameOf(query)}: ${response.statusCode}`)
  return [...new Set(page.match(/post_[0-7][0-9a-hjkmnp-tv-z]{25}/g))]
}
