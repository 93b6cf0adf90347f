import { z } from 'zod'
import { timestamp } from '../contract/fields.ts'
import { eventId } from './webhook-record.ts'

/** One event, or a range of time. */
export const replayBody = z
  .strictObject({
    event_id: eventId.optional().meta({ description: 'One event. Leave since and until out.' }),
    since: timestamp.optional().meta({ description: 'Events from this moment on …' }),
    until: timestamp.optional().meta({ description: '… and before this one.' }),
  })
  .check((context) => {
    const { event_id, since, until } = context.value
    const refuse = (member: string, message: string) =>
      context.issues.push({ code: 'custom', path: [member], message, input: context.value })
    if (event_id !== undefined) {
      if (since !== undefined) refuse('since', 'must be left out when event_id is given')
      if (until !== undefined) refuse('until', 'must be left out when event_id is given')
      return
    }
    if (since === undefined) refuse('since', 'must be given with until, or event_id instead of both')
    if (until === undefined) refuse('until', 'must be given with since, or event_id instead of both')
    if (since !== undefined && until !== undefined && Date.parse(until) <= Date.parse(since))
      refuse('until', 'must be after since')
  })
  .transform(({ event_id, since, until }) =>
    event_id === undefined ? { since: String(since), until: String(until) } : { event_id },
  )
