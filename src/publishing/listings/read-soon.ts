import { sql } from 'kysely'
import type { PublicPost } from '../../kinds/presentation/presentation.ts'
import type { Database } from '../../platform/database/database.ts'
import type { SiteView, SoonView } from '../views.ts'
import { selectPosts, shown } from './read-posts.ts'

export type Span = 'today' | 'weekend'

const names: Record<Span, string> = { today: 'Today', weekend: 'This weekend' }

/** The maximum number of events on a page. */
const mostShown = 200
/** How many later events a page without events shows. */
const nextShown = 3
/** A weekend ends at most this long after now, in any time zone. */
const reachMs = 8 * 86_400_000

/** The events that take place today or this weekend. Each event counts by the date of its own time zone. */
export async function readSoon(
  db: Database,
  site: SiteView,
  { span, at }: { span: Span; at: Date },
): Promise<SoonView> {
  const before = at.getTime() + reachMs
  const rows = await selectCurrent(db, site, at)
    .where(sql<boolean>`(posts.facets->>'starts_at')::numeric <= ${before}`)
    .orderBy(sql`(posts.facets->>'starts_at')::numeric desc, posts.id`)
    .limit(sql.lit(mostShown * 5))
    .execute()
  const posts = rows
    .map((row) => shown(site, row))
    .filter((post) => isWithin(site, post, { span, at }))
    .toReversed()
    .slice(0, mostShown)
  return {
    ...{
      path: span,
      name: names[span],
      parents: [],
      posts,
      newest: posts,
      withdrawn: [],
      topics: [],
      places: [],
      own: [],
    },
    ...{ listedCount: posts.length, standingCount: posts.length, older: null, lastPage: null },
    next: posts.length === 0 ? await readNext(db, site, at) : [],
  }
}

async function readNext(db: Database, site: SiteView, at: Date): Promise<PublicPost[]> {
  const rows = await selectCurrent(db, site, at)
    .orderBy(sql`(posts.facets->>'starts_at')::numeric, posts.id`)
    .limit(sql.lit(nextShown))
    .execute()
  return rows.map((row) => shown(site, row))
}

/** Events that have not ended. */
const selectCurrent = (db: Database, { kind }: SiteView, at: Date) =>
  selectPosts(db)
    .where('posts.kind', '=', kind.name)
    .where('posts.listed', '=', true)
    .where('posts.visible_until', '>', at)
    .where(sql<boolean>`posts.facets ? 'starts_at'`)

function isWithin({ kind }: SiteView, { content }: PublicPost, { span, at }: { span: Span; at: Date }): boolean {
  const occasion = kind.presentation.occasion?.(content)
  if (!occasion) return false
  const today = at.toTemporalInstant().toZonedDateTimeISO(occasion.timezone).toPlainDate()
  const { first, last } = datesOf(span, today)
  return occasion.starts_at.slice(0, 10) <= last.toString() && occasion.ends_at.slice(0, 10) >= first.toString()
}

/** From Friday to Sunday. During these days, the current weekend. */
function datesOf(span: Span, today: Temporal.PlainDate) {
  if (span === 'today') return { first: today, last: today }
  const friday = today.add({ days: 5 - today.dayOfWeek })
  return { first: Temporal.PlainDate.compare(friday, today) < 0 ? today : friday, last: friday.add({ days: 2 }) }
}
