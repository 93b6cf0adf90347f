import type { IncomingHttpHeaders } from 'node:http'
import { type FoundCaller, findCaller } from '../accounts/keys/api-key.ts'
import { createOwnerLink } from '../accounts/sign-in/owner-links.ts'
import type { Call } from '../contract/call.ts'
import { allows, type Operation, scopesFor } from '../contract/define-operation.ts'
import { expectedAuthorization } from '../contract/problems/caller.ts'
import { Problem } from '../contract/problems/problem.ts'
import { needsOwner } from '../contract/problems/problems.ts'
import { describeAuthorization, otherHeaderWithKey } from './key-mistakes.ts'

/** The caller that the key belongs to; null if no key was sent. An invalid key is always rejected. */
export async function authenticateKey(
  { db, clock }: Call,
  authorization: string | undefined,
): Promise<FoundCaller | null> {
  if (authorization === undefined) return null
  const key = bearerTokenOf(authorization)
  const known = key ? await findCaller(db, key, clock.now()) : undefined
  if (!known) throw invalidApiKey(describeAuthorization(authorization))
  return known
}

export const bearerTokenOf = (authorization: string | undefined): string | undefined =>
  /^bearer +(\S+)$/i.exec(authorization?.trim() ?? '')?.[1]

/** The problem with what the request shows besides: a key in another header. */
export function withOtherHeader(problem: unknown, headers: IncomingHttpHeaders): unknown {
  const seen = otherHeaderWithKey(headers)
  return seen && problem instanceof Problem && problem.code === 'missing_api_key' ? problem.with({}, seen) : problem
}

/** Rejects callers whose key does not allow this operation, and callers without a key if it requires one. */
export async function admit(operation: Operation, call: Call, known: FoundCaller | null): Promise<Call> {
  if (operation.access === 'owner') throw ownerSessionRequired()
  if (!known) {
    if (operation.access === 'anyone') return call
    throw new Problem('missing_api_key', `Send the header ${expectedAuthorization}.`, {
      members: { expected: expectedAuthorization },
      headers: { 'www-authenticate': 'Bearer realm="broadside"' },
    })
  }
  assertMayWhenBanned(operation, known)
  const admitted = {
    ...call,
    caller: {
      accountId: known.accountId,
      keyId: known.keyId,
      autoRecharges: known.autoRecharges,
      needsApproval: known.needsApproval,
    },
  }
  if (known.isReadOnly && operation.method !== 'GET')
    throw await withOwnerLink(admitted, new Problem('key_read_only', 'The owner made this key read-only.'))
  if (!allows(known.scopes, operation)) throw await withOwnerLink(admitted, insufficientScope(operation))
  return admitted
}

function insufficientScope(operation: Operation): Problem {
  const required = scopesFor(operation)
  return new Problem('insufficient_scope', `This requires the scope ${required.join(' or ')}.`, {
    members: { required_scopes: required },
  })
}

export function assertMayWhenBanned({ whenBanned }: Operation, { isBanned }: { isBanned: boolean }): void {
  if (isBanned && whenBanned === 'refused')
    throw new Problem('account_banned', 'A banned account can only read, appeal, delete and turn features off.')
}

export const ownerSessionRequired = () =>
  new Problem('owner_session_required', 'Only the owner can do this, after signing in on the owner page.', {
    headers: { 'www-authenticate': 'Bearer realm="broadside owner"' },
  })

export function invalidApiKey(why = 'The key is no longer valid.') {
  return new Problem('invalid_api_key', `${why} Send the header ${expectedAuthorization}.`, {
    members: { expected: expectedAuthorization },
    headers: { 'www-authenticate': 'Bearer realm="broadside", error="invalid_token"' },
  })
}

/** Adds account_url to problems that only the owner can resolve. Call it outside any transaction. */
export async function withOwnerLink(call: Call, problem: Problem): Promise<Problem> {
  const { db, clock, caller, owner, accountPageUrl } = call
  const whose = caller ?? owner
  if (!whose || !needsOwner(problem.code)) return problem
  return problem.with({
    account_url: await createOwnerLink(db, { accountId: whose.accountId, accountPageUrl, at: clock.now() }),
  })
}
