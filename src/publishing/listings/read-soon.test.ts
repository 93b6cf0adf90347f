import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../../../tooling/environment/service.ts'
import { sitesFromSettings } from '../../bin/sites.ts'
import { type Kind, kinds } from '../../kinds/index.ts'
import { newId } from '../../platform/identifiers.ts'
import { siteViews } from '../views.ts'
import { readSoon, type Span } from './read-soon.ts'

const event = kinds.find((kind) => kind.presentation.occasion) as Kind
const at = new Date('2026-11-23T09:00:00Z')
const hour = 3_600_000
const iso = (time: number) => new Date(time).toISOString().replace('.000Z', 'Z')

test('the pages of today and the weekend show their events, however many others start before and after', async () => {
  await using service = await startService()
  const { id: accountId } = await service.createAccount()
  /** Events that last two hours, in hours from now. */
  const add = async (starts: readonly number[], title: string) => {
    const rows = starts.map((start) => {
      const starts_at = at.getTime() + start * hour
      const times = { timezone: 'UTC', starts_at: iso(starts_at), ends_at: iso(starts_at + 2 * hour) }
      const body = event.body.parse({ ...event.examples[0], title, ...times }) as object
      const ends = new Date(starts_at + 2 * hour)
      return { id: newId('post', at), content: body, facets: event.facets(body as never), ends }
    })
    await service.asOwner(
      `insert into posts (id, account_id, kind, status, content, facets, created_at)
       select id, $1, $2, 'queued', content, facets, $3
       from jsonb_to_recordset($4) as row (id text, content jsonb, facets jsonb)`,
      [accountId, event.name, at, JSON.stringify(rows)],
    )
    await service.asOwner(
      `update posts set status = 'published', listed = true, published_at = $1, decided_at = $1, visible_until = row.ends
       from jsonb_to_recordset($2) as row (id text, ends timestamptz) where posts.id = row.id`,
      [at, JSON.stringify(rows)],
    )
  }
  const many = (from: number) => Array.from({ length: 1_200 }, (_, number) => from + number / 100)
  // Monday, 9 o'clock: today, from Tuesday to Thursday, Saturday, and from Monday of next week.
  await add([3], 'Today')
  await add(many(20), 'In between')
  await add([5 * 24], 'At the weekend')
  await add(many(7 * 24), 'Next week')
  const site = siteViews(sitesFromSettings(service.baseUrls)).get(event.name)
  assert(site)
  const titles = async (span: Span) =>
    (await readSoon(service.workerDb, site, { span, at })).posts.map(
      ({ content }) => (content as unknown as { title: string }).title,
    )
  assert.deepEqual(await titles('today'), ['Today'])
  assert.deepEqual(await titles('weekend'), ['At the weekend'])
})
