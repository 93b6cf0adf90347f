// What the checks write, and posts that many checks read. Everything is made once, on first use.
import { type Account, accountRecord, freshAccount, marker, operator, waitForStatus } from './accounts.ts'
import { hasStatus, isString } from './assert.ts'
import { Failure, fixture, type Json, show, skip } from './checks.ts'
import { adText, adTitle, eventText, eventTitle, messageText, storyText, storyTitle } from './harmless.ts'
import { at, type RequestOptions, sleep } from './http.ts'
import { isProduction } from './targets.ts'

/** A time `days` ahead in a zone, as ISO 8601 with that zone's own offset. */
export function timeIn(zone, days, hour = 18, minute = 0) {
  return Temporal.Now.zonedDateTimeISO(zone)
    .add({ days })
    .with({ hour, minute, second: 0, millisecond: 0, microsecond: 0, nanosecond: 0 })
    .toString({ timeZoneName: 'never', smallestUnit: 'second' })
}
/** An instant written with the zone's offset at that instant. */
export const instantIn = (zone, milliseconds) =>
  Temporal.Instant.fromEpochMilliseconds(Math.floor(milliseconds / 1000) * 1000)
    .toZonedDateTimeISO(zone)
    .toString({ timeZoneName: 'never', smallestUnit: 'second' })

export const berlin = { country: 'DE', state: 'DE-BE', city: { geonames_id: 2950159, name: 'Berlin' } }

/** A harmless body of each kind; `extra` replaces or adds members. */
export const bodies: Record<string, (extra?: Json) => Json> = {
  message: (extra) => ({ text: messageText(), ...extra }),
  story: (extra) => ({ title: storyTitle(), body: storyText(), ...extra }),
  classified: (extra) => ({ title: adTitle(), body: adText(), category: 'for-sale', ...extra }),
  event: (extra) => ({
    title: eventTitle(),
    body: eventText(),
    timezone: 'Europe/Berlin',
    starts_at: timeIn('Europe/Berlin', 20, 18),
    ends_at: timeIn('Europe/Berlin', 20, 20),
    ...extra,
  }),
}
export const mainField: Record<string, string> = { message: 'text', story: 'body', classified: 'body', event: 'body' }

// ---------------------------------------------------------------------------------------------
// Submitting

export const submit = (kind: string, body: Json, account: { key: string }, options: RequestOptions = {}) =>
  at(kind).post('/v1/posts', body, { key: account.key, ...options })
export const dryRun = (kind: string, body: Json, account: { key: string }, options: RequestOptions = {}) =>
  submit(kind, body, account, { ...options, query: { dry_run: 'true' } })

/** Submits and waits for one of `wanted`. Returns everything that a check may want to look at. */
export async function submitUntil(wanted: string | string[], kind: string, body: Json, account: Account) {
  const submitted = await submit(kind, body, account)
  hasStatus(submitted, 202)
  const { id } = submitted.json
  isString(id, 'id of POST /v1/posts')
  const [word] = /verdict-[a-z_-]+/.exec(JSON.stringify(body)) ?? []
  if (isProduction && word) await decideAs(id, word)
  const { record, reply, polls } = await waitForStatus(kind, id, account.key, [wanted].flat())
  return { id, kind, body, account, submitted, record, reply, polls, seenAt: Date.now() }
}
export type Published = Awaited<ReturnType<typeof submitUntil>>
export const waitForDecision = (kind, id, account) => waitForStatus(kind, id, account.key)
export const publish = (kind: string, body: Json, account: Account) => submitUntil('published', kind, body, account)

export const publicPost = async (kind, id) => {
  const reply = await at(kind).get(`/v1/posts/${id}`)
  hasStatus(reply, 200)
  return reply.json
}

// ---------------------------------------------------------------------------------------------
// Shared accounts and posts

/** For everything that only needs some money. */
export const rich = fixture('a credited account', () => freshAccount({ micros: 50_000_000 }))
export const poor = fixture('an account with no balance', () => freshAccount())
export const other = fixture("another caller's account", () => freshAccount())

export const published: Record<string, () => Promise<Published>> = {
  message: fixture('a published message', async () =>
    publish(
      'message',
      bodies.message({ text: messageText(), topics: [`bb-${marker()}`, 'transit'], location: berlin }),
      await rich(),
    ),
  ),
  story: fixture('a published story', async () =>
    publish('story', bodies.story({ topics: [`bb-${marker()}`, 'sea'] }), await rich()),
  ),
  classified: fixture('a published classified ad', async () =>
    publish(
      'classified',
      bodies.classified({
        price: { amount: 120.5, currency: 'EUR' },
        condition: 'good',
        topics: [`bb-${marker()}`, 'furniture'],
        location: { country: 'DE', state: 'DE-BE' },
      }),
      await rich(),
    ),
  ),
  event: fixture('a published event', async () =>
    publish(
      'event',
      bodies.event({ topics: [`bb-${marker()}`, 'walking'], location: { country: 'DE', state: 'DE-BE' } }),
      await rich(),
    ),
  ),
}

/** decisions 2: outside production the model obeys a word in the post. In production the operator decides instead. */
export function verdictText(word: string): string {
  if (isProduction && /review|slow/.test(word)) skip('production obeys no verdict words')
  return `${messageText()} ${word}`
}
async function decideAs(id: string, word: string): Promise<void> {
  const words = word.startsWith('verdict-reject-') ? ['reject', word.slice('verdict-reject-'.length)] : ['low-quality']
  await operator('decide', id, ...words).catch(() => skip('the model decided before the operator'))
}

/** The word that makes the prefilter refuse a post, outside production (decisions 14). */
export async function prefilterText(): Promise<string> {
  if (isProduction) skip('production obeys no prefilter words')
  return `${messageText()} prefilter-refuse-${(await policyCategories()).abusive}`
}

/** The categories of the policy (decisions 14: categories is a list of {id, title, abusive, definition, examples}). */
export const policyCategories = fixture('the categories of /v1/policy', async () => {
  const reply = await at('message').get('/v1/policy')
  hasStatus(reply, 200)
  const all = (Array.isArray(reply.json.categories) ? reply.json.categories : []).map((category) => ({
    name: category?.id,
    abusive: category?.abusive === true,
  }))
  const forced = process.env['ABUSE_CATEGORY']
  const abusive =
    forced ??
    (all.find(({ name, abusive }) => abusive && /spam|scam|fraud/.test(name)) ?? all.find(({ abusive }) => abusive))
      ?.name
  if (!abusive)
    throw new Failure(
      `GET /v1/policy: expected categories: [{id, abusive: true, …}], came ${show(reply.json, 400)} (ABUSE_CATEGORY may name one)`,
    )
  return { all, abusive, document: reply.json }
})
export const abuseText = async () => verdictText(`verdict-reject-${(await policyCategories()).abusive}`)

/** A post with a forced outcome on an account of its own, with the account's record before and after. */
const judged = (name, wanted, text, micros) =>
  fixture(name, async () => {
    const account = await freshAccount({ micros })
    const before = await accountRecord(account.key)
    const post = await submitUntil(wanted, 'message', { text: await text() }, account)
    return { ...post, before, after: await accountRecord(account.key) }
  })

export const lowQuality = judged(
  'a message rejected as low quality',
  'rejected',
  async () => verdictText('verdict-low-quality'),
  100_000,
)
export const abusive = judged('a message rejected as abusive', 'rejected', abuseText, 1_000_000)
export const abusiveUnpaid = judged(
  'an abusive message on an account that cannot pay ten times',
  'rejected',
  abuseText,
  20_000,
)
export const inReview = judged('a message in review', 'review', async () => verdictText('verdict-review'), 100_000)

export const deletedPost = fixture('a published message that its caller deleted', async () => {
  const account = await freshAccount({ micros: 100_000 })
  const post = await publish('message', bodies.message({ topics: [`bb-${marker()}`] }), account)
  const before = await accountRecord(account.key)
  const reply = await at('message').delete(`/v1/posts/${post.id}`, { key: account.key })
  return { ...post, before, deletion: reply, after: await accountRecord(account.key) }
})

/** An event that ends soon: ended events leave lists, feeds and search, and their page stays (decisions 5). */
export const ended = fixture('an event that has ended since it was published', async () => {
  const account = await freshAccount({ micros: 200_000 })
  const endsAt = Date.now() + 100_000
  const topic = `bb-${marker()}`
  const body = bodies.event({
    topics: [topic],
    timezone: 'UTC',
    starts_at: instantIn('UTC', Date.now() - 3_600_000),
    ends_at: instantIn('UTC', endsAt),
  })
  const submitted = await submit('event', body, account)
  hasStatus(submitted, 202)
  const { id } = submitted.json
  await waitForStatus('event', id, account.key, ['published'], 40)
  const listed = await at('event').get('/v1/posts', { query: { topic } })
  await sleep(Math.max(0, endsAt - Date.now()) + 2_000)
  return { id, body, account, topic, listed }
})

/** An account that three abusive posts have banned, with enough money that nothing is owed. */
export const banned = fixture('an account banned by three strikes', async () => {
  const account = await freshAccount({ micros: 2_000_000 })
  const good = await publish('message', bodies.message(), account)
  const before = await accountRecord(account.key)
  const strike = async () => submitUntil('rejected', 'message', { text: await abuseText() }, account)
  await Promise.all([strike(), strike()])
  const afterTwo = await accountRecord(account.key)
  const third = await strike()
  return { account, good, before, afterTwo, third, afterThree: await accountRecord(account.key) }
})
