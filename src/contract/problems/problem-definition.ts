/** Who must act before the call can succeed. */
type Actor = 'agent' | 'human' | 'operator'

/** When the caller can retry the request: never, after a change, after a wait, or after the owner has acted. */
type Retry = 'no' | 'after_change' | 'after_wait' | 'after_owner'

export type ProblemDefinition = {
  status: number
  title: string
  meaning: string
  actor: Actor
  remedy: string
  retry: Retry
}
