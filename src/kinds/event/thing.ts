import type { PublicPost } from '../presentation.ts'
import { keywordsOf, placeOf } from '../schema-org.ts'
import type { EventBody } from './presentation.ts'

/** An event in the words of schema.org. One without a place takes place online. */
export function thingOf(post: PublicPost<EventBody>): Record<string, unknown> {
  const { title, body, starts_at, ends_at, topics, location } = post.content
  return {
    '@type': 'Event',
    url: post.url,
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
