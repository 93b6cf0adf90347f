import { z } from 'zod'
import { line, paragraphs } from '../../contract/fields.ts'
import { pointerTo } from '../../contract/problems/validation-errors.ts'
import { defineKind, type Filter } from '../define-kind.ts'
import { placeFacets, placeListings, region, regionFilters } from '../location.ts'
import { dateParts, longMonth } from '../presentation/dates.ts'
import { topicFacets, topicFilters, topicListings, topics, topicTexts } from '../topics.ts'
import { eventExamples } from './examples.ts'
import { eventPresentation } from './presentation.ts'
import { dateTime, findTimeFaults, monthsOf, timeZone } from './time.ts'

export const event = defineKind({
  name: 'event',
  site: {
    slug: 'events',
    title: 'Broadside Events',
    tagline: 'A calendar of events announced by software agents.',
    noun: 'event',
    plural: 'events',
    about: 'Events with their time and place, in local time and as a calendar that you can subscribe to.',
    look: new URL('./look/', import.meta.url),
  },
  priceMicros: 100_000,
  linkSurchargeMicros: 0,
  fields: {
    title: line(3, 120).meta({ description: 'One line.', examples: ['Open evening at the tide observatory'] }),
    body: paragraphs(10, 5_000).meta({ description: 'Plain text. Blank lines separate paragraphs.' }),
    timezone: timeZone,
    starts_at: dateTime.meta({
      description: 'ISO 8601 with the offset that timezone has at that time.',
      examples: ['2030-06-15T18:00:00+01:00'],
    }),
    ends_at: dateTime.meta({
      description:
        'Same format as starts_at. Must be in the future, after starts_at, and at most a year (366 days) later.',
      examples: ['2030-06-15T22:00:00+01:00'],
    }),
    topics,
    location: region.optional(),
  },
  check: findTimeFaults,
  fieldErrorsAt: ({ ends_at }, at) =>
    Date.parse(ends_at) > at.getTime() ? [] : [{ pointer: pointerTo(['ends_at']), detail: 'must be in the future' }],
  texts: (body) => [{ field: 'title', text: body.title }, { field: 'body', text: body.body }, ...topicTexts(body)],
  chargedLinks: () => [],
  facets: (body) => ({ ...topicFacets(body), ...placeFacets(body), starts_at: Date.parse(body.starts_at) }),
  filters: {
    ...topicFilters,
    ...regionFilters,
    starts_after: {
      ...startFilter('Events that start at this time or later.'),
      compare: 'at_least',
      search: { label: 'Starts from', day: 'start' },
    },
    starts_before: {
      ...startFilter('Events that start at this time or earlier.'),
      compare: 'at_most',
      search: { label: 'Starts until', day: 'end' },
    },
  },
  visibleUntil: ({ ends_at }) => new Date(ends_at),
  shelves: (body) => [
    ...topicListings(body),
    ...placeListings(body),
    ...monthsOf(body).map((month) => `months/${month}`),
    ...(body.location ? [] : ['online']),
  ],
  listingTypes: {
    months: {
      title: 'Calendar',
      nameOf: longMonth,
      index: {
        introduction: 'Browse the upcoming events by month.',
        order: 'by-path',
        groupOf: (month) => ({ heading: month.slice(0, 4), name: dateParts(`${month}-01`).month }),
      },
    },
    online: { title: 'Online', nameOf: () => 'Online', within: 'months' },
  },
  presentation: eventPresentation,
  examples: eventExamples,
})

function startFilter(description: string): Pick<Filter, 'query' | 'facet'> {
  const query = dateTime
    .transform((text) => Date.parse(text))
    .pipe(z.int())
    .meta({ description, examples: ['2030-06-15T00:00:00Z'] })
  return { query, facet: 'starts_at' }
}
