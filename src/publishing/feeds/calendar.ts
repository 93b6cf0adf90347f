import assert from 'node:assert/strict'
import type { Occasion, PublicPost } from '../../kinds/presentation/presentation.ts'
import { icsComponent, icsText, icsTexts, icsTime, icsValue } from '../../markup/ics.ts'
import { untrustedLabel } from '../user-content-notice.ts'
import type { ListingView, PostView, SiteView, Withdrawn } from '../views.ts'
import { changedAt, listingTitle, listingUrl, topicsOf } from './feed-fields.ts'

/** The events of a shelf, those taken down included. */
export function calendar(site: SiteView, view: ListingView): string {
  return icsComponent('VCALENDAR', [
    ...heading(site),
    icsText('NAME', listingTitle(site, view)),
    // Older than NAME, and still the only one that some programs read.
    icsText('X-WR-CALNAME', listingTitle(site, view)),
    icsValue('REFRESH-INTERVAL;VALUE=DURATION', 'PT1H'),
    icsValue('SOURCE;VALUE=URI', `${listingUrl(site, view)}events.ics`),
    icsValue('URL', listingUrl(site, view)),
    ...view.posts.map((post) => announced(site, post)),
    ...view.withdrawn.map((post) => cancelled(site, post)),
  ])
}

/** One event, to be put into a reader's own calendar. */
export function postCalendar(site: SiteView, { post }: PostView): string {
  const { timezone } = occasionOf(site, post)
  return icsComponent('VCALENDAR', [...heading(site), icsText('X-WR-TIMEZONE', timezone), announced(site, post)])
}

const heading = ({ kind }: SiteView) => [
  icsValue('VERSION', '2.0'),
  icsText('PRODID', `-//Broadside//${kind.site.title}//EN`),
  icsText('X-CONTENT-TRUST', untrustedLabel),
]

function announced(site: SiteView, post: PublicPost): string {
  const { headline, text } = site.kind.presentation
  const topics = topicsOf(site.kind, post)
  const place = placeOf(site, post)
  return icsComponent('VEVENT', [
    ...identity(site, post.id, changedAt(post), post.edited_at),
    ...times(occasionOf(site, post)),
    icsText('SUMMARY', headline(post.content)),
    icsText('DESCRIPTION', text(post.content)),
    ...(place ? [icsText('LOCATION', place)] : []),
    ...(topics.length > 0 ? [icsTexts('CATEGORIES', topics)] : []),
    icsValue('URL', post.url),
    icsText('COMMENT', post.content.attribution),
    icsText('STATUS', 'CONFIRMED'),
    icsText('X-CONTENT-TRUST', post.content_trust),
  ])
}

/** Nothing that its author wrote is left, but calendars that took the event over can cross it out. */
function cancelled(site: SiteView, { id, withdrawn_at, occasion }: Withdrawn): string {
  return icsComponent('VEVENT', [
    ...identity(site, id, withdrawn_at, withdrawn_at),
    ...times(occasion),
    icsText('STATUS', 'CANCELLED'),
  ])
}

/**
 * A calendar keeps the version with the highest SEQUENCE: 0 as published, afterwards the seconds from 2020 to the
 * change. So it needs no count of changes, an edit is above the first version, a later change above an earlier one,
 * and the number fits in the 31 bits of the format until 2088.
 */
function identity({ baseUrl }: SiteView, id: string, stamp: string, changedLater: string | null): string[] {
  const sequence = changedLater ? Math.floor((Date.parse(changedLater) - sequenceStart) / 1000) : 0
  return [
    icsText('UID', `${id}@${new URL(baseUrl).host}`),
    icsValue('DTSTAMP', icsTime(stamp)),
    icsValue('SEQUENCE', sequence),
  ]
}

const sequenceStart = Date.UTC(2020)

/** An end must be later than the start, and here both have whole seconds: without one, it ends when it starts. */
function times({ starts_at, ends_at }: Occasion): string[] {
  const [start, end] = [icsTime(starts_at), icsTime(ends_at)]
  return [icsValue('DTSTART', start), ...(end > start ? [icsValue('DTEND', end)] : [])]
}

function occasionOf({ kind }: SiteView, { content }: PublicPost): Occasion {
  const occasion = kind.presentation.occasion?.(content)
  assert(occasion, 'only a kind whose posts take place at a time has a calendar')
  return occasion
}

const placeOf = ({ kind }: SiteView, { content }: PublicPost): string | undefined =>
  kind.presentation.facts(content).find(({ label }) => label === 'Place')?.value
