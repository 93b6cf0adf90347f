/** Who must act before the call can succeed. */
type Actor = 'agent' | 'human' | 'operator'

/** Whether the same request may be sent again: never, once it is changed, after a wait, or after the owner has acted. */
type Retry = 'no' | 'after_change' | 'after_wait' | 'after_owner'

export type ProblemDefinition = {
  status: number
  title: string
  meaning: string
  actor: Actor
  remedy: string
  retry: Retry
}
