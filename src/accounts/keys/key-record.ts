import { z } from 'zod'
import { identifier, line, micros, timestamp } from '../../contract/fields.ts'
import { Problem } from '../../contract/problems/problem.ts'
import { type Scope, scopeNames } from '../../contract/scopes.ts'

export const exampleKeyId = 'key_01jcmzq8e5f7r9t2v4x6y8z0ab'
export const keyId = identifier('key', exampleKeyId)

export const keyName = line(1, 80).meta({
  description: 'A label for the owner, such as the agent that uses the key or the place where it is stored.',
})

export const keyScopes = ['full', 'read'] as const
export type KeyScope = (typeof keyScopes)[number]
export const keyScope = z.enum(keyScopes).meta({
  description: 'full: every agent operation. read: only GET requests. `scopes` is more precise.',
})

/** What a key may do. A key with `scopes` has the scope `read`; see migrations/0047. */
export type KeyAccess = { scope: KeyScope; scopes: readonly Scope[] | null }

/** The scopes without repeats, in their usual order; null stands for all. */
export const keyAccess = (scope: KeyScope, scopes: readonly Scope[] | null): KeyAccess =>
  scopes ? { scope: 'read', scopes: scopeNames.filter((name) => scopes.includes(name)) } : { scope, scopes: null }

export const keyScopeList = z.array(z.enum(scopeNames)).min(1).max(scopeNames.length).nullable().meta({
  description: 'What the key may do; null if `scope` says everything. Each scope includes `read`.',
})

export const dailyCap = micros.nullable().meta({
  description: 'The most the key can spend in a UTC day, in micro-dollars; null for no cap.',
})

export const keyRecord = z
  .strictObject({
    id: keyId,
    name: z.string(),
    last4: z
      .string()
      .nullable()
      .meta({ description: 'The last four characters of the key; null for a connected app, which has no key.' }),
    client_host: z
      .string()
      .nullable()
      .meta({ description: 'For a connected app: the host that receives its tokens. Null for a key.' }),
    scope: z.enum([...keyScopes, 'limited']).meta({
      description: 'full: every agent operation. read: only GET requests. limited: what `scopes` lists.',
    }),
    scopes: keyScopeList,
    daily_cap_micros: dailyCap,
    created_at: timestamp,
    last_used_at: timestamp.nullable().meta({ description: 'Accurate to the minute; null if never used.' }),
  })
  .meta({ component: 'ApiKey' })

export const shownAccess = ({ scope, scopes }: { scope: KeyScope; scopes: string[] | readonly Scope[] | null }) => ({
  scope: scopes ? ('limited' as const) : scope,
  scopes: scopes as Scope[] | null,
})

export const exampleKey: z.input<typeof keyRecord> = {
  id: exampleKeyId,
  name: 'Harbour agent',
  last4: 'B2c9',
  client_host: null,
  scope: 'full',
  scopes: null,
  daily_cap_micros: 1_000_000,
  created_at: '2026-11-15T12:00:00.000Z',
  last_used_at: null,
}

export const keyNotFound = () => new Problem('key_not_found', 'The account has no key with this identifier.')
