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

/** The events that take place today or this weekend. Each event counts by the date of its own time zone. */
export async function readSoon(
  db: Database,
  site: SiteView,
  { span, at }: { span: Span; at: Date },
): Promise<SoonView> {
  const posts = await readWithin(db, site, { span, at })
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

const readAtOnce = 500

/** The first events by their start. SQL cannot choose by date: it does not know all time zones that an author may name. */
async function readWithin(db: Database, site: SiteView, when: { span: Span; at: Date }): Promise<PublicPost[]> {
  const { startsBefore, endsAfter } = reachOf(when)
  const possible = selectCurrent(db, site, when.at)
    .where(sql<boolean>`(posts.facets->>'starts_at')::numeric < ${startsBefore}`)
    .where('posts.visible_until', '>=', new Date(endsAfter))
    .orderBy(sql`(posts.facets->>'starts_at')::numeric, posts.id`)
  const posts: PublicPost[] = []
  for (let read = 0; posts.length < mostShown; read += readAtOnce) {
    const rows = await possible.offset(sql.lit(read)).limit(sql.lit(readAtOnce)).execute()
    posts.push(...rows.map((row) => shown(site, row)).filter((post) => isWithin(site, post, when)))
    if (rows.length < readAtOnce) break
  }
  return posts.slice(0, mostShown)
}

/** The time zones in which a day begins first and last. */
const [firstZone, lastZone] = ['Etc/GMT-14', 'Etc/GMT+12'] as const

/** The moments at which these days begin and end somewhere. */
function reachOf({ span, at }: { span: Span; at: Date }) {
  const dateIn = (zone: string) => at.toTemporalInstant().toZonedDateTimeISO(zone).toPlainDate()
  const beginning = datesOf(span, dateIn(lastZone)).first
  const end = datesOf(span, dateIn(firstZone)).last.add({ days: 1 })
  return {
    endsAfter: beginning.toZonedDateTime(firstZone).epochMilliseconds,
    startsBefore: end.toZonedDateTime(lastZone).epochMilliseconds,
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
