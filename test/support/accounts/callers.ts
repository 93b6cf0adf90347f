import { newApiKey } from '../../../src/accounts/keys/api-key.ts'
import type { Operation } from '../../../src/contract/define-operation.ts'
import type { ProblemCode } from '../../../src/contract/problems/problems.ts'
import { openOwner } from '../../../tooling/clients/owner.ts'
import type { Service } from '../../../tooling/environment/service.ts'
import { subjectOf } from '../posts/operation-subject.ts'
import { seedKey } from './create-key.ts'

/** Every kind of caller. */
export const callers = [
  'no key',
  'malformed key',
  'another scheme',
  'wrong checksum',
  'unknown key',
  'revoked key',
  'banned account',
  'closed account',
  'another account',
  'its own account',
  'read-only key',
  'owner session',
] as const
export type CallerName = (typeof callers)[number]

export type Outcome = ProblemCode | 'success'

/** The expected result for each caller, derived from the operation's declaration. */
export function outcomeFor(operation: Operation, caller: CallerName): Outcome {
  const { access, whenBanned, method } = operation
  if (access === 'owner') return caller === 'owner session' ? 'success' : 'owner_session_required'
  if (caller === 'no key') return access === 'key' ? 'missing_api_key' : 'success'
  if (caller === 'banned account') return whenBanned === 'refused' ? 'account_banned' : 'success'
  // The path refers to an object that the caller owns; the body may refer to any public object.
  const subject = operation.path.includes('{id}') && subjectOf(operation)
  if (caller === 'another account' && access === 'key' && subject) return `${subject}_not_found`
  if (caller === 'read-only key') return method === 'GET' ? 'success' : 'key_read_only'
  return caller === 'another account' || caller === 'its own account' ? 'success' : 'invalid_api_key'
}

export type SeededCallers = Awaited<ReturnType<typeof seedCallers>>

/** Creates all of them. Callers that may pay have money. */
export async function seedCallers(service: Service) {
  const account = await service.createAccount()
  const accounts = await Promise.all(Array.from({ length: 4 }, () => service.createAccount()))
  const [revoked, banned, closed, another] = accounts as [
    typeof account,
    typeof account,
    typeof account,
    typeof account,
  ]
  await service.asOwner('update api_keys set revoked_at = created_at where account_id = $1', [revoked.id])
  await service.asOwner("update accounts set standing = 'banned' where id = $1", [banned.id])
  await service.asOwner("update accounts set standing = 'closed' where id = $1", [closed.id])
  for (const { id } of [account, another]) await service.credit(id, 100_000_000)
  const last = account.api_key.at(-1) === 'a' ? 'b' : 'a'
  const keys: Record<CallerName, string | undefined> = {
    'no key': undefined,
    'malformed key': 'bsk_short',
    'another scheme': account.api_key,
    'wrong checksum': account.api_key.slice(0, -1) + last,
    'unknown key': newApiKey(),
    'revoked key': revoked.api_key,
    'banned account': banned.api_key,
    'closed account': closed.api_key,
    'another account': another.api_key,
    'its own account': account.api_key,
    'read-only key': (await seedKey(service, { accountId: account.id, slot: 2, scope: 'read' })).apiKey,
    'owner session': (await openOwner(service, account.id)).token,
  }
  return {
    own: account,
    /** The owner of the requested object, or the caller of an operation that is about none. */
    subjectOwner: (caller: CallerName, operation?: Operation): string => {
      if (caller === 'another account' && operation && !subjectOf(operation)) return another.id
      return caller === 'banned account' ? banned.id : account.id
    },
    headersOf: (caller: CallerName): Record<string, string> => {
      const scheme = caller === 'another scheme' ? 'Basic' : 'Bearer'
      return keys[caller] === undefined ? {} : { authorization: `${scheme} ${keys[caller]}` }
    },
  }
}

const ownCallers: readonly CallerName[] = ['its own account', 'read-only key', 'owner session']

/** Whether a caller sees too much: another account's name or, for a public post, its cost. */
export function showsTooMuch(operation: Operation, caller: CallerName, answer: string, ownId: string): boolean {
  const isPublic = operation.id === 'getPost'
  const isOwn = ownCallers.includes(caller) || (isPublic && caller === 'banned account')
  return !isOwn && answer.includes(isPublic ? 'charged_micros' : ownId)
}
