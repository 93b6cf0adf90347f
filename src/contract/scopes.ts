/** What a key or a connected app may do. Each scope includes `read`. */
export const scopes = {
  read: 'Read the account, its posts, drafts, events and webhooks, and search posts.',
  publish: 'Submit, edit, delete and appeal posts, and write to sellers.',
  publish_with_approval: 'Prepare posts as drafts. The owner approves each one before it is charged and submitted.',
  webhooks: 'Register, test and delete webhook endpoints.',
  account: 'Change settings of the account and request its deletion.',
} as const

export type Scope = keyof typeof scopes
export const scopeNames = Object.keys(scopes) as [Scope, ...Scope[]]

/** Whether posts of this caller wait for the owner as drafts. Null stands for all scopes. */
export const postsNeedApproval = (held: readonly Scope[] | null): boolean =>
  held?.includes('publish_with_approval') === true && !held.includes('publish')

const posting = ['publish', 'publish_with_approval'] as const

/**
 * The scopes of a token under what the owner allows now. Whether posts need approval is the owner's choice, so a token
 * that may post follows it.
 */
export function scopesUnder(allowed: readonly Scope[] | null, held: readonly Scope[]): Scope[] {
  if (allowed === null) return [...held]
  const mayPost = posting.some((scope) => held.includes(scope))
  return allowed.filter((scope) => held.includes(scope) || (mayPost && posting.includes(scope as never)))
}
