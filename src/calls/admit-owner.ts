import type { IncomingHttpHeaders } from 'node:http'
import { findCaller } from '../accounts/keys/api-key.ts'
import { findOwnerSession, type OwnerSession } from '../accounts/sign-in/sessions.ts'
import { csrfTokenOf, isCsrfTokenOf, readCookie } from '../accounts/sign-in/tokens.ts'
import type { Call } from '../contract/call.ts'
import type { Operation } from '../contract/define-operation.ts'
import { Problem } from '../contract/problems/problem.ts'
import { assertMayWhenBanned, bearerTokenOf, ownerSessionRequired, withOwnerLink } from './admit.ts'

type Sent = {
  headers: IncomingHttpHeaders
  /** True only on the owner page's host. In development, a browser sends the cookie to every port. */
  takesCookie: boolean
}

/** Rejects everyone except the signed-in owner. An API key gives no access. */
export async function admitOwner(operation: Operation, call: Call, { headers, takesCookie }: Sent): Promise<Call> {
  const session =
    headers.authorization === undefined && takesCookie
      ? await byCookie(operation, call, headers)
      : await byBearer(call, headers.authorization)
  if (!session) throw await sentToOwner(call, headers.authorization)
  assertMayWhenBanned(operation, session)
  const { id, accountId, token } = session
  return { ...call, owner: { accountId, sessionId: id, csrfToken: csrfTokenOf(token) } }
}

/** The problem to throw. For an agent with a valid key, it includes a link for the owner. */
async function sentToOwner(call: Call, authorization: string | undefined): Promise<Problem> {
  const key = bearerTokenOf(authorization)
  const known = key ? await findCaller(call.db, key, call.clock.now()) : undefined
  return known ? withOwnerLink({ ...call, caller: known }, ownerSessionRequired()) : ownerSessionRequired()
}

async function byBearer(call: Call, authorization: string | undefined): Promise<OwnerSession | undefined> {
  const token = bearerTokenOf(authorization)
  return token ? findOwnerSession(call.db, token, call.clock.now()) : undefined
}

/** Browsers send the cookie automatically, so a change also requires a token that only our pages can read. */
async function byCookie(operation: Operation, call: Call, headers: IncomingHttpHeaders) {
  const token = readCookie(headers.cookie, 'session', call.accountPageUrl.startsWith('https:'))
  const session = token ? await findOwnerSession(call.db, token, call.clock.now()) : undefined
  const given = String(headers['x-csrf-token'] ?? '')
  if (session && operation.method !== 'GET' && !isCsrfTokenOf(session.token, given))
    throw new Problem('csrf_token_required', 'Send the csrf_token from GET /v1/manage/session as X-CSRF-Token.')
  return session
}
