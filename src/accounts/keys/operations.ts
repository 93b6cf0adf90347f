import { z } from 'zod'
import { defineOperation } from '../../contract/define-operation.ts'
import { nothing } from '../../contract/fields.ts'
import { maxApiKeysPerAccount } from '../../contract/limits.ts'
import {
  dailyCap,
  exampleKey,
  exampleKeyId,
  keyAccess,
  keyId,
  keyName,
  keyRecord,
  keyScope,
  keyScopeList,
  shownAccess,
} from './key-record.ts'
import { createKey, listKeys, revokeKey } from './manage-keys.ts'

const shared = { access: 'owner', tag: 'Owner' } as const
const { last_used_at: _, ...exampleNewKey } = exampleKey

const create = defineOperation({
  ...shared,
  id: 'createKey',
  method: 'POST',
  path: '/v1/manage/keys',
  whenBanned: 'refused',
  successStatus: 201,
  summary: 'Create an API key',
  description:
    'Creates a key and shows it once. A key can be limited to some scopes and can have a spending cap ' +
    `per UTC day. An account can have up to ${maxApiKeysPerAccount} active keys. The owner is notified by email. ` +
    'Not idempotent: a repeated call creates another key.',
  body: z.strictObject({
    name: keyName,
    scope: keyScope.default('full'),
    scopes: keyScopeList.default(null),
    daily_cap_micros: dailyCap.default(null),
  }),
  output: z
    .strictObject({
      ...keyRecord.omit({ last_used_at: true }).shape,
      api_key: z.string().meta({ description: 'Shown only once. You cannot retrieve it later.' }),
    })
    .meta({ component: 'NewApiKey' }),
  problems: ['too_many_keys'],
  examples: {
    body: { name: exampleKey.name, daily_cap_micros: exampleKey.daily_cap_micros },
    output: { ...exampleNewKey, api_key: 'bsk_EXAMPLEexampleEXAMPLEexampleEXAMPLEexampleEXA3aB2c9' },
  },
  handle: async ({ db, clock, owner }, { body }) => {
    const { name, scope, scopes, daily_cap_micros } = body
    const access = keyAccess(scope, scopes)
    const wish = { accountId: owner.accountId, name, access, dailyCapMicros: daily_cap_micros, at: clock.now() }
    const key = await createKey(db, wish)
    return {
      id: key.id,
      name: key.name,
      api_key: key.apiKey,
      last4: key.last4,
      client_host: null,
      ...shownAccess(key.access),
      daily_cap_micros: key.dailyCapMicros,
      created_at: key.createdAt.toISOString(),
    }
  },
})

const list = defineOperation({
  ...shared,
  id: 'listKeys',
  method: 'GET',
  path: '/v1/manage/keys',
  whenBanned: 'allowed',
  successStatus: 200,
  summary: 'List the API keys',
  description: 'Lists active keys, oldest first. Key values are not stored, so the list does not contain them.',
  output: z.strictObject({ data: z.array(keyRecord), next_cursor: z.null() }).meta({ component: 'ApiKeyList' }),
  problems: [],
  examples: { output: { data: [exampleKey], next_cursor: null } },
  handle: async ({ db, clock, owner }) => {
    const keys = await listKeys(db, owner.accountId, clock.now())
    const data = keys.map(({ created_at, last_used_at, spent_micros: _spent, ...key }) => ({
      ...key,
      ...shownAccess(key),
      created_at: created_at.toISOString(),
      last_used_at: last_used_at?.toISOString() ?? null,
    }))
    return { data, next_cursor: null }
  },
})

const revoke = defineOperation({
  ...shared,
  id: 'revokeKey',
  method: 'DELETE',
  path: '/v1/manage/keys/{id}',
  whenBanned: 'allowed',
  successStatus: 204,
  summary: 'Revoke an API key',
  description:
    'Revokes a key permanently. Any further call with it returns 401. Posts and webhooks created with it remain.',
  params: z.object({ id: keyId }),
  output: nothing,
  problems: ['key_not_found'],
  examples: { params: { id: exampleKeyId }, output: undefined },
  handle: async ({ db, clock, owner }, { params }) => {
    await revokeKey(db, { accountId: owner.accountId, id: params.id, at: clock.now() })
    return undefined
  },
})

export const keyOperations = [create, list, revoke]
