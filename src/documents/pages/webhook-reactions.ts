import type { FaultCode } from '../../webhooks/delivery/attempt-outcome.ts'
import { circuitPauseMs, timeoutsToOpen } from '../../webhooks/delivery/circuit.ts'
import { attemptTimeoutSeconds, disabledAfterMs, jitterShare, longestRetryAfterSeconds } from '../../webhooks/rules.ts'
import { inWords } from './time-words.ts'

/** `10 %` */
export const jitter = `${jitterShare * 100} %`

/** What an endpoint does, and what we do then. */
export function reactionRows(): string[][] {
  const [within, longest] = [inWords(attemptTimeoutSeconds), inWords(longestRetryAfterSeconds)]
  const firstPause = inWords(circuitPauseMs({ before: 0, now: timeoutsToOpen }) / 1_000)
  const laterPause = inWords(circuitPauseMs({ before: timeoutsToOpen, now: timeoutsToOpen + 1 }) / 1_000)
  return [
    [`Any \`2xx\` within ${within}`, 'The delivery is done.'],
    ['`3xx`', 'A failure: redirects are not followed.'],
    ['Any other answer, or none in time', 'A failure: it is tried again as the table below says.'],
    [
      'A failure with `Retry-After`',
      `Up to ${longest} is honoured: the next attempt comes no sooner. A longer one is ignored.`,
    ],
    ['`429` or `503` with `Retry-After`', 'The same, for everything that waits for this endpoint.'],
    [
      `${timeoutsToOpen} timeouts in a row`,
      `The endpoint is paused for ${firstPause}. Then one delivery tries it; if that times out too, the pause is ` +
        `${laterPause}, each time. What waits meanwhile keeps its attempts, and nothing is lost.`,
    ],
    ['`410`', 'The endpoint is [disabled](#disabled-endpoints) at once.'],
    [
      `Nothing but failures for ${inWords(disabledAfterMs / 1_000)}`,
      'The endpoint is [disabled](#disabled-endpoints), and the owner is told by mail.',
    ],
  ]
}

const faults: Record<FaultCode, string> = {
  bad_url: 'The address is no longer one that we take. Register it anew.',
  address_refused: 'The name leads to an address that is not public.',
  name_not_resolved: 'The name was not found.',
  connection_failed: 'Nothing took the connection.',
  tls_failed: 'The certificate is not valid for this name, or is not publicly trusted.',
  connection_broken: 'The connection broke before the answer.',
  timeout: `No answer within ${inWords(attemptTimeoutSeconds)}.`,
  malformed_response: 'The answer was not HTTP.',
}

export const faultRows = (): string[][] => Object.entries(faults).map(([code, meaning]) => [`\`${code}\``, meaning])
