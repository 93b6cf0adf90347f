import assert from 'node:assert/strict'
import type { Occasion, PublicPost } from '../../kinds/presentation/presentation.ts'
import { icsComponent, icsText, icsTexts, icsTime, icsValue } from '../../markup/ics.ts'
import { untrustedLabel } from '../user-content-notice.ts'
import type { ListingView, PostView, SiteView, Withdrawn } from '../views.ts'
import { changedAt, listingTitle, listingUrl, topicsOf } from './feed-fields.ts'

/** The upcoming events of a listing, and cancellations of withdrawn ones. */
export function calendar(site: SiteView, view: ListingView): string {
  return icsComponent('VCALENDAR', [
    ...heading(site),
    icsText('NAME', listingTitle(site, view)),
    // X-WR-CALNAME is older than NAME, but some calendar apps read only this property.
    icsText('X-WR-CALNAME', listingTitle(site, view)),
    icsValue('REFRESH-INTERVAL;VALUE=DURATION', 'PT1H'),
    icsValue('SOURCE;VALUE=URI', `${listingUrl(site, view)}events.ics`),
    icsValue('URL', listingUrl(site, view)),
    ...view.posts.map((post) => announced(site, post)),
    ...view.withdrawn.map((post) => cancelled(site, post)),
  ])
}

/** One event, to add to a personal calendar. */
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

/** Contains no text by the author; it only tells calendar apps to cancel the event. */
function cancelled(site: SiteView, { id, withdrawn_at, occasion }: Withdrawn): string {
  return icsComponent('VEVENT', [
    ...identity(site, id, withdrawn_at, withdrawn_at),
    ...times(occasion),
    icsText('STATUS', 'CANCELLED'),
  ])
}

/**
 * Calendar apps keep the version with the highest SEQUENCE: 0 at publication, then the number of seconds from 2020 to
 * the latest change. No change counter is needed, each change has a higher number than the one before, and the number
 * fits into the format's 31 bits until 2088.
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

/**
 * DTEND must be later than DTSTART, and both are rounded to whole seconds. Without DTEND, the event ends when it
 * starts.
 */
function times({ starts_at, ends_at }: Occasion): string[] {
  const [start, end] = [icsTime(starts_at), icsTime(ends_at)]
  return [icsValue('DTSTART', start), ...(end > start ? [icsValue('DTEND', end)] : [])]
}

function occasionOf({ kind }: SiteView, { content }: PublicPost): Occasion {
  const occasion = kind.presentation.occasion?.(content)
  assert(occasion, 'only kinds with a start time have a calendar')
  return occasion
}

const placeOf = ({ kind }: SiteView, { content }: PublicPost): string | undefined =>
  kind.presentation.facts(content).find(({ label }) => label === 'Place')?.value
