import type { OutboundFaultKind } from '../../platform/outbound-http/outbound-fault.ts'
import { attemptDelaysSeconds, jitterShare, longestRetryAfterSeconds } from '../rules.ts'

/** Why an attempt got no answer, in words that are stored and shown: nothing that a receiver sent is among them. */
export const faultCodes = [
  'bad_url',
  'address_refused',
  'name_not_resolved',
  'connection_failed',
  'tls_failed',
  'connection_broken',
  'timeout',
  'malformed_response',
] as const satisfies readonly Exclude<OutboundFaultKind, 'withdrawn'>[]

export type FaultCode = (typeof faultCodes)[number]
export type AttemptRecord = { at: string; status_code: number | null; duration_ms: number; error: FaultCode | null }

/** What came of one attempt. */
export type Reaction = { status: number; retryAfterSeconds: number | null } | { fault: FaultCode }

export const isSuccess = (reaction: Reaction) => 'status' in reaction && reaction.status >= 200 && reaction.status < 300
export const isGone = (reaction: Reaction) => 'status' in reaction && reaction.status === 410
export const isTimeout = (reaction: Reaction) => 'fault' in reaction && reaction.fault === 'timeout'

/** Seconds of a Retry-After, which may be a date; null when it says nothing that is honoured. */
export function readRetryAfter(header: string | null, at: Date): number | null {
  if (header === null) return null
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : (Date.parse(header) - at.getTime()) / 1_000
  return seconds >= 0 && seconds <= longestRetryAfterSeconds ? Math.ceil(seconds) : null
}

type Failed = { tries: number; reaction: Reaction; at: Date; random: () => number }

/** When to try again after so many attempts, this one included; null when none is left. */
export function nextAttemptAt({ tries, reaction, at, random }: Failed): Date | null {
  const delay = attemptDelaysSeconds[tries]
  if (delay === undefined) return null
  const asked = 'status' in reaction ? (reaction.retryAfterSeconds ?? 0) : 0
  const jittered = delay * (1 + jitterShare * (2 * random() - 1))
  return new Date(at.getTime() + Math.round(Math.max(jittered, asked) * 1_000))
}

/** A receiver that is busy says so for all of its deliveries, and not for this one alone. */
export function pauseAskedFor(reaction: Reaction): number {
  if (!('status' in reaction) || (reaction.status !== 429 && reaction.status !== 503)) return 0
  return (reaction.retryAfterSeconds ?? 0) * 1_000
}
