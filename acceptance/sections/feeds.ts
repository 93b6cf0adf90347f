// Feeds and calendars, read with the parsers that readers use: decisions 11, standards 8.4 to 8.6.
import { parseFeed } from '@rowanmanning/feed-parser'
import { parseFeed as parseWithFeedsmith } from 'feedsmith'
import ICAL from 'ical.js'
import { eventually, freshAccount } from '../accounts.ts'
import { equal, hasStatus, holds, includes } from '../assert.ts'
import { fixture, section } from '../checks.ts'
import { bodies, publish } from '../fixtures.ts'
import { at } from '../http.ts'
import { kinds, sites } from '../targets.ts'

const test = section('feeds')

/** A text that breaks a careless feed. */
const title = 'Tea & <b>cake</b> — “quoted”, a\u00a0space, an emoji 🫖'
const tricky = Object.fromEntries(
  kinds.map((kind) => [
    kind,
    fixture(`a published ${kind} with special characters`, async () => {
      const account = await freshAccount({ micros: 500_000 })
      const { text, ...rest } = bodies[kind]()
      const body = text ? { text: `${text} ${title}` } : { ...rest, title }
      const topic = `feeds-${account.id.slice(-8)}`
      return { topic, ...(await publish(kind, { ...body, topics: [topic] }, account)) }
    }),
  ]),
)

for (const kind of kinds) {
  for (const path of ['/feed.xml', '/topics/{topic}/feed.xml'])
    test(`rss${path.replace(/\W+/g, '-')}-${kind}: decisions 11: ${path} of the ${kind} site is read by feed readers, with its posts as they were written`, async () => {
      const post = await tricky[kind]()
      await eventually(async () => {
        const reply = await at(kind).get(path.replace('{topic}', post.topic))
        hasStatus(reply, 200)
        const items = parseFeed(reply.text).items.filter(({ url }) => url === `${sites[kind]}/p/${post.id}`)
        equal(items.length, 1, `items of ${reply.url} for ${post.id}`)
        if (post.body.title) equal(items[0].title, title, 'title')
        const { format, feed } = parseWithFeedsmith(reply.text)
        equal(format, 'rss', 'format that feedsmith reads')
        includes(JSON.stringify(feed), post.id, 'the feed as feedsmith reads it')
      })
    })
  test(`json-feed-${kind}: decisions 11: /index.json of the ${kind} site is a JSON Feed`, async () => {
    const post = await tricky[kind]()
    await eventually(async () => {
      const reply = await at(kind).get('/index.json')
      const { format, feed } = parseWithFeedsmith(reply.text)
      equal(format, 'json', 'format that feedsmith reads')
      includes(JSON.stringify(feed), post.id, 'the feed as feedsmith reads it')
    })
  })
}

for (const path of ['/events.ics', '/p/{id}.ics'])
  test(`calendar${path.replace(/\W+/g, '-')}: decisions 11: ${path} is read by calendars, with the times and the title of the event`, async () => {
    const post = await tricky['event']()
    await eventually(async () => {
      const reply = await at('event').get(path.replace('{id}', post.id))
      hasStatus(reply, 200)
      const calendar = new ICAL.Component(ICAL.parse(reply.text))
      const events = calendar.getAllSubcomponents('vevent').map((one) => new ICAL.Event(one))
      const event = events.find(({ uid }) => uid.includes(post.id))
      holds(event !== undefined, reply.url, `an event whose UID has ${post.id}`, `${events.length} others`)
      equal(event.summary, title, 'SUMMARY')
      for (const zone of calendar.getAllSubcomponents('vtimezone')) ICAL.TimezoneService.register(zone)
      equal(event.startDate.toJSDate().getTime(), Date.parse(post.body.starts_at), 'DTSTART')
      equal(event.endDate.toJSDate().getTime(), Date.parse(post.body.ends_at), 'DTEND')
    })
  })
