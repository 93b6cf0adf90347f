import { metrics } from '@opentelemetry/api'
import { isSuccess, type Reaction } from './attempt-outcome.ts'
import type { Attempted } from './lane.ts'

export type AttemptObserver = (attempted: Attempted) => void

/** Counts attempts and times them. An address is never a label: there may be a million of them, and they are users'. */
export function attemptObserver(): AttemptObserver {
  const meter = metrics.getMeter('broadside')
  const attempts = meter.createCounter('webhooks.attempts', {
    description: 'Attempts to deliver an event, by queue and result.',
  })
  const seconds = meter.createHistogram('webhooks.attempt.seconds', {
    description: 'How long an attempt took.',
    unit: 's',
    advice: { explicitBucketBoundaries: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15] },
  })
  const lag = meter.createHistogram('webhooks.first_attempt.lag.seconds', {
    description: 'From an event to the beginning of its first attempt.',
    unit: 's',
    advice: { explicitBucketBoundaries: [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 15, 60, 300] },
  })
  return ({ lane, due, reaction, at, durationMs }) => {
    attempts.add(1, { queue: lane.queue, result: resultOf(reaction) })
    seconds.record(durationMs / 1_000, { queue: lane.queue })
    if (lane.queue === 'first') lag.record((at.getTime() - due.created_at.getTime()) / 1_000)
  }
}

function resultOf(reaction: Reaction): string {
  if ('fault' in reaction) return reaction.fault
  return isSuccess(reaction) ? 'delivered' : `${Math.floor(reaction.status / 100)}xx`
}
