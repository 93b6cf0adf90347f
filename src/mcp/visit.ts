import type { FoundCaller } from '../accounts/find-caller.ts'
import type { Seen } from '../calls/side-door.ts'
import type { AllowanceSizes } from '../contract/limits.ts'
import type { Call } from '../platform/call.ts'

/** One request at the door: what a tool needs to know of it. */
export type Visit = {
  /** Before anyone is known to make it. */
  call: Call
  /** Whose key was sent; null when none was. */
  known: FoundCaller | null
  allowances: AllowanceSizes
  seen: Seen
}
