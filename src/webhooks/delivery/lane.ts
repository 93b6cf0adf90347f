import type { Sealed } from '../../platform/sealing.ts'
import type { Reaction } from './attempt-outcome.ts'

export type Queue = 'first' | 'again'

/** One delivery whose time has come. `data` is the event's; a test event has none. */
export type Due = { event_id: string; type: string; tries: number; created_at: Date; data: unknown }

/** An endpoint as it was when its lane was taken, and as this process has seen it since. */
export type Endpoint = {
  id: string
  url: string
  host: string
  /** The newest first. */
  secrets: (Sealed & { number: number })[]
  isDisabled: boolean
  failingSince: Date | null
  timeouts: number
  /** Done when its last reaction is written down. */
  noted: Promise<void>
}

/** What waits for one endpoint in one queue, taken by this process under the name of `holder`. */
export type Lane = { queue: Queue; holder: string; endpoint: Endpoint; due: Due[] }

export type Attempted = { lane: Lane; due: Due; reaction: Reaction; at: Date; durationMs: number }
