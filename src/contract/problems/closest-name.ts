import { editDistance } from '../text/edit-distance.ts'

/** Names that other services use, and ours. The first one that is allowed is meant. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  text: ['text', 'body', 'q'],
  body: ['body', 'text'],
  content: ['text', 'body'],
  message: ['text', 'body', 'message'],
  description: ['body', 'text'],
  post: ['text', 'body'],
  tags: ['topics'],
  tag: ['topics', 'topic'],
  hashtags: ['topics'],
  labels: ['topics'],
  keywords: ['topics', 'q'],
  categories: ['category', 'topics'],
  name: ['title', 'name'],
  subject: ['title'],
  headline: ['title'],
  start: ['starts_at', 'since'],
  starttime: ['starts_at'],
  startdate: ['starts_at'],
  date: ['starts_at'],
  end: ['ends_at', 'until'],
  endtime: ['ends_at'],
  enddate: ['ends_at'],
  tz: ['timezone'],
  place: ['location', 'q'],
  city: ['location', 'city'],
  where: ['location'],
  amount: ['price', 'amount'],
  cost: ['price'],
  type: ['kind', 'category'],
  query: ['q'],
  search: ['q'],
  page: ['cursor', 'after'],
  offset: ['cursor', 'after'],
  pagetoken: ['cursor', 'after'],
  perpage: ['limit'],
  pagesize: ['limit'],
  count: ['limit'],
  size: ['limit'],
  from: ['since'],
  to: ['until'],
  before: ['until'],
  after: ['since', 'cursor'],
  id: ['id', 'post_id'],
  postid: ['id', 'post_id'],
  publishat: ['publish_at'],
  schedule: ['publish_at'],
  scheduledat: ['publish_at'],
  lang: ['language'],
  stories: ['story'],
  ad: ['classified'],
  ads: ['classified'],
  '1': ['true'],
  yes: ['true'],
  on: ['true'],
  '0': ['false'],
  no: ['false'],
  off: ['false'],
  pending: ['queued'],
  live: ['published'],
  used: ['good'],
}

/** The allowed name or value that this one probably means; undefined if none is near. */
export function closestName(given: string, allowed: readonly string[]): string | undefined {
  const sought = simplified(given.slice(0, longest))
  const same = allowed.find((name) => simplified(name) === sought)
  if (same !== undefined) return same
  const meant = Object.hasOwn(otherNames, sought)
    ? otherNames[sought]?.find((name) => allowed.includes(name))
    : undefined
  return meant ?? nearest(sought, allowed)
}

const longest = 60

const simplified = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** One mistake in three letters, and no more than three. */
function nearest(sought: string, allowed: readonly string[]): string | undefined {
  const most = Math.min(Math.floor(sought.length / 3), 3)
  let [best, distance]: [string | undefined, number] = [undefined, most + 1]
  for (const name of allowed) {
    const own = editDistance(sought, simplified(name), most)
    if (own < distance) [best, distance] = [name, own]
  }
  return best
}
