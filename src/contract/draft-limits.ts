/**
 * Drafts: how many can wait per account (the problem too_many_drafts names the same number), how far ahead a post can be
 * scheduled, how long the owner has to approve one, how late they can still approve one that was scheduled, how long a
 * link in an email works, and the least time between two emails to an owner.
 */
export const draftLimits = {
  maxOpen: 100,
  scheduledDays: 30,
  approvalDays: 7,
  lateApprovalDays: 1,
  linkDays: 7,
  minutesBetweenEmails: 15,
} as const

/** A daily limit. A draft costs nothing and can be cancelled, but each leaves a row. */
export const draftsPerAccount = {
  operations: 'POST /v1/posts, also over MCP, if the post becomes a draft',
  countedPer: 'account',
  max: 1_000,
  windowSeconds: 86_400,
  price: null,
  problem: 'rate_limited',
  sendsRetryAfter: true,
  policy: null,
  countedAside: false,
} as const
