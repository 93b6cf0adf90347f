import { findCaller } from '../accounts/find-caller.ts'
import type { Operation } from '../contract/define-operation.ts'
import { Problem } from '../contract/problem.ts'
import type { Call } from '../platform/call.ts'

/** Finds out who calls, and refuses who may not. A key that is sent but wrong is refused everywhere. */
export async function admit(operation: Operation, call: Call, authorization: string | undefined): Promise<Call> {
  if (operation.access === 'owner') throw ownerSessionRequired()
  if (authorization === undefined) {
    if (operation.access === 'anyone') return call
    throw new Problem('missing_api_key', 'Send the header Authorization: Bearer <API key>.', {
      headers: { 'www-authenticate': 'Bearer realm="broadside"' },
    })
  }
  const key = /^bearer +(\S+)$/i.exec(authorization.trim())?.[1]
  const caller = key ? await findCaller(call.db, key, call.clock.now()) : undefined
  if (!caller) throw invalidApiKey()
  if (caller.isBanned && operation.whenBanned === 'refused')
    throw new Problem('account_banned', 'A banned account may read, appeal, delete and turn things off, and no more.')
  return { ...call, caller: { accountId: caller.accountId, keyId: caller.keyId } }
}

function invalidApiKey() {
  return new Problem('invalid_api_key', 'This is not a valid API key: check that the whole key is sent.', {
    headers: { 'www-authenticate': 'Bearer realm="broadside", error="invalid_token"' },
  })
}

// TODO(#8): recognise the owner's session. Until there is one, an operation that needs it lets nobody in.
function ownerSessionRequired() {
  return new Problem('owner_session_required', 'Only the owner, signed in on the owner page, may do this.', {
    headers: { 'www-authenticate': 'Bearer realm="broadside owner"' },
  })
}
