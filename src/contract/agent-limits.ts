/** Directories that are read for one account on a day, because its requests are signed with keys that are new to us. */
export const agentChecksPerDay = 5

/** Keys of one account that can be checked or wait for its owner at a time. Each directory is read once a day. */
export const maxWaitingAgents = 5

/** Marks that an owner can confirm on a day, because each one rewrites all posts of the account. */
export const agentConfirmationsPerDay = 5

/** A mark ends when its agent has signed no request for this long. */
export const unusedMarkDays = 30

/** The names of these counts. They are no limits of the API, so /rate-limits.json does not list them. */
export type AgentCount = 'agent-checks-per-account' | 'agent-confirmations-per-account'
