import { type FoundCaller, findCaller } from '../accounts/find-caller.ts'
import type { Operation } from '../contract/define-operation.ts'
import { Problem } from '../contract/problem.ts'
import type { Call } from '../platform/call.ts'

/** Whose key this is; null when none was sent. A key that is sent but wrong is refused everywhere. */
export async function recognise({ db, clock }: Call, authorization: string | undefined): Promise<FoundCaller | null> {
  if (authorization === undefined) return null
  const key = /^bearer +(\S+)$/i.exec(authorization.trim())?.[1]
  const known = key ? await findCaller(db, key, clock.now()) : undefined
  if (!known) throw invalidApiKey()
  return known
}

/** Refuses who may not call this operation. */
export function admit(operation: Operation, call: Call, known: FoundCaller | null): Call {
  if (operation.access === 'owner') throw ownerSessionRequired()
  if (!known) {
    if (operation.access === 'anyone') return call
    throw new Problem('missing_api_key', 'Send the header Authorization: Bearer <API key>.', {
      headers: { 'www-authenticate': 'Bearer realm="broadside"' },
    })
  }
  if (known.isBanned && operation.whenBanned === 'refused')
    throw new Problem('account_banned', 'A banned account may read, appeal, delete and turn things off, and no more.')
  return { ...call, caller: { accountId: known.accountId, keyId: known.keyId } }
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
