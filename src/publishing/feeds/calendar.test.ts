import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendarEvents } from '../../../test/support/pages/read-forms.ts'
import { listingOf, shownPost, siteOfKind } from '../../../test/support/posts/public-posts.ts'
import { kinds } from '../../kinds/index.ts'
import type { PublicPost } from '../../kinds/presentation/presentation.ts'
import { calendar, postCalendar } from './calendar.ts'

const kind = kinds.find(({ presentation }) => presentation.occasion)!
const site = siteOfKind(kind)
const post = shownPost(kind)

type Values = Record<string, string>

function readEvents(file: string): Values[] {
  return calendarEvents(file).map((event) =>
    Object.fromEntries(event.getAllProperties().map((line) => [line.name, line.getValues().join(',')])),
  )
}

test('an event in a calendar has its time in UTC, its place, its topics and its label', () => {
  const [event] = readEvents(postCalendar(site, { post, isOver: false }))
  assert.deepEqual(event, {
    uid: `${post.id}@events.broadside.example`,
    dtstamp: '2026-11-15T12:01:03Z',
    sequence: '0',
    dtstart: '2030-06-15T17:00:00Z',
    dtend: '2030-06-15T21:00:00Z',
    summary: kind.presentation.headline(post.content),
    description: kind.presentation.text(post.content),
    location: 'Lisbon, Portugal',
    categories: 'science,oceans',
    url: post.url,
    comment: post.content.attribution,
    status: 'CONFIRMED',
    'x-content-trust': 'untrusted-user-content',
  })
})

test('a calendar has its name, its source and its refresh interval', () => {
  const file = calendar(site, listingOf([post])).replaceAll('\r\n ', '')
  for (const line of [
    'VERSION:2.0',
    'NAME:ferries · Broadside Events',
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'SOURCE;VALUE=URI:https://events.broadside.example/topics/ferries/events.ics',
    'X-CONTENT-TRUST:untrusted-user-content',
  ])
    assert.ok(file.includes(`\r\n${line}\r\n`), line)
  assert.deepEqual(readEvents(calendar(site, listingOf([]))), [])
})

test('a withdrawn event keeps its times and loses its text', () => {
  const withdrawn = [{ id: post.id, withdrawn_at: '2026-11-17T09:00:00.000Z', occasion: occasionOf(post) }]
  const [event] = readEvents(calendar(site, listingOf([], { withdrawn })))
  assert.deepEqual(event, {
    uid: `${post.id}@events.broadside.example`,
    dtstamp: '2026-11-17T09:00:00Z',
    sequence: '217069200',
    dtstart: '2030-06-15T17:00:00Z',
    dtend: '2030-06-15T21:00:00Z',
    status: 'CANCELLED',
  })
})

test('each later version of an event has a higher number', () => {
  const versions = [post, shownPost(kind, { editedAt: '2026-11-16T08:00:00Z' })]
  const withdrawn = [{ id: post.id, withdrawn_at: '2026-11-16T08:00:01.000Z', occasion: occasionOf(post) }]
  const numbers = readEvents(calendar(site, listingOf(versions, { withdrawn }))).map(({ sequence }) => Number(sequence))
  assert.deepEqual(
    numbers,
    numbers.toSorted((one, other) => one - other),
  )
  assert.equal(new Set(numbers).size, 3)
  assert.ok(numbers.every((number) => number < 2 ** 31))
})

test('an event shorter than a second has no DTEND, which must be later than DTSTART', () => {
  const content = { timezone: 'UTC', starts_at: '2030-01-01T10:00:00Z', ends_at: '2030-01-01T10:00:00.001Z' }
  const [event] = readEvents(postCalendar(site, { post: shownPost(kind, { content }), isOver: false }))
  assert.deepEqual([event?.['dtstart'], event?.['dtend']], ['2030-01-01T10:00:00Z', undefined])
})

const occasionOf = ({ content }: PublicPost) => kind.presentation.occasion!(content)
