import { type Html, html } from '../../markup/html.ts'
import { authorName, dotted, factList, postDates, postTitle, topicList } from '../presentation/byline.ts'
import { clockTime, dateParts, longDate } from '../presentation/dates.ts'
import { excerpt } from '../presentation/excerpt.ts'
import { type Location, placeLinks, placeName } from '../presentation/place-line.ts'
import type { Presentation, PublicPost } from '../presentation/presentation.ts'
import { prose } from '../presentation/prose.ts'
import { keywordsOf, placeOf } from '../presentation/schema-org.ts'
import { addToCalendar } from './add-to-calendar.ts'
import { monthGrid } from './month-grid.ts'
import { dayAndHours, dayOf, hours, hoursText, localTime, zoneText } from './occasion-text.ts'

export type EventBody = {
  title: string
  body: string
  timezone: string
  starts_at: string
  ends_at: string
  topics: string[]
  location?: Location | undefined
}

type Event = PublicPost<EventBody>

export const eventPresentation: Presentation<EventBody> = {
  headline: (body) => body.title,
  hasTitle: true,
  text: (body) => body.body,
  facts: (body) => [
    { label: 'Starts', value: localTime(body.starts_at) },
    { label: 'Ends', value: localTime(body.ends_at) },
    { label: 'Time zone', value: zoneText(body) },
    ...(body.location ? [{ label: 'Place', value: placeName(body.location) }] : []),
  ],
  article,
  over,
  entry,
  arrange,
  overview: (path, posts) =>
    path.startsWith('months/')
      ? monthGrid(
          path.slice('months/'.length),
          posts.map(({ content }) => content),
        )
      : '',
  card: (body) => ({
    day: body.starts_at,
    details: [`${hoursText(body)}, ${body.timezone}`, ...(body.location ? [placeName(body.location)] : [])],
  }),
  schemaOrg: schemaOrgOf,
  openGraph: ({ starts_at, ends_at }) => ({
    type: 'event',
    properties: [
      ['event:start_time', starts_at],
      ['event:end_time', ends_at],
    ],
  }),
  occasion: ({ starts_at, ends_at, timezone }) => ({ starts_at, ends_at, timezone }),
}

function article(post: Event, isOver: boolean): Html {
  const { title, body, starts_at, location, topics } = post.content
  return html`
<header>
!${dateBlock(starts_at)}
!${postTitle(title)}
</header>
!${factList([
    { label: 'When', value: html`!${dayAndHours(post.content)} <span class="zone">${zoneText(post.content)}</span>` },
    { label: 'Place', value: location ? placeLinks(location) : html`<a href="/online/">Online</a>` },
  ])}
!${isOver ? '' : addToCalendar(post)}
<div class="text">!${prose(body)}</div>
!${topicList(topics)}
!${factList(postDates(post))}`
}

function over({ content }: Event): Html {
  return html`<strong>This event has ended.</strong> It ended on ${longDate(content.ends_at)}. This page remains as a record. <a href="/">See upcoming events →</a>`
}

function dateBlock(iso: string): Html {
  const { day, month, year, weekday } = dateParts(iso)
  return html`<time class="date-block" datetime="${dayOf(iso)}"><span class="weekday">${weekday}</span> <span class="number">${day}</span> <span class="month">${month}</span> <span class="year">${year}</span></time>`
}

function entry(post: Event): Html {
  const { title, body, location } = post.content
  return html`<article class="entry" data-content-trust="${post.content_trust}">
<p class="hours">!${hours(post.content)} <span class="zone">${zoneText(post.content)}</span></p>
<h4 dir="auto" lang=""><a href="/p/${post.id}">${title}</a></h4>
<p class="excerpt" dir="auto" lang="">${excerpt(body, 180)}</p>
<p class="place">!${dotted(html`${location ? placeName(location) : 'Online'}`, authorName(post))}</p>
</article>`
}

/** Grouped by the local start date, and each day in the order of its clock. */
function arrange(posts: readonly Event[]): Html {
  return [...Map.groupBy(posts, ({ content }) => dayOf(content.starts_at))]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(
      ([day, those]) => html`<section class="day" id="day-${day}">
<h3>!${dateBlock(day)}</h3>
<div>!${those.toSorted(byClock).map(entry).join('\n')}</div>
</section>`,
    )
    .join('\n')
}

function byClock(one: Event, other: Event): number {
  const [start, otherStart] = [clockTime(one.content.starts_at), clockTime(other.content.starts_at)]
  return Number(start > otherStart) - Number(start < otherStart)
}

/** An event without a place is described as online. */
function schemaOrgOf(post: PublicPost<EventBody>): Record<string, unknown> {
  const { title, body, starts_at, ends_at, topics, location } = post.content
  return {
    '@type': 'Event',
    url: post.url,
    image: `${post.url}.png`,
    name: title,
    description: body,
    startDate: starts_at,
    endDate: ends_at,
    eventStatus: 'https://schema.org/EventScheduled',
    eventAttendanceMode: `https://schema.org/${location ? 'Offline' : 'Online'}EventAttendanceMode`,
    location: location ? placeOf(location) : { '@type': 'VirtualLocation', url: post.url },
    ...keywordsOf(topics),
  }
}
