import assert from 'node:assert/strict'
import type { Scope } from '../../../src/contract/scopes.ts'
import { deviceGrant } from '../../../src/oauth/clients/client-metadata.ts'
import type { Service } from '../../../tooling/environment/service.ts'
import { seedKey } from '../accounts/create-key.ts'
import { connect, renew, seedVictim, type Victim } from './attack.ts'
import { postForm, register } from './sign-in.ts'

/** What happened to a key or token before it is used. */
export const states = [
  'valid',
  'revoked by the app',
  'disconnected by the owner',
  'ended by a replay',
  'not approved yet',
  'expired',
] as const
export type State = (typeof states)[number]

export type HeldScope = Scope | 'none'

export type Bearer = { kind: 'key' | 'app'; scope: HeldScope; state: State; token: string; isValid: boolean }

/** An API key and an app's token with each scope alone, in each state that it can have. */
export async function seedBearers(service: Service, scopes: readonly HeldScope[]): Promise<Map<State, Bearer[]>> {
  const bearers = new Map<State, Bearer[]>()
  for (const state of states) {
    const victim = await seedVictim(service)
    const list: Bearer[] = []
    for (const scope of scopes) {
      const token =
        state === 'not approved yet' ? await askForDevice(service) : await newToken(service, victim, { scope, state })
      list.push({ kind: 'app', scope, state, token, isValid: state === 'valid' })
      const key = await newKey(service, victim, { scope, state, slot: 20 - scopes.indexOf(scope) })
      if (key) list.push(key)
    }
    bearers.set(state, list)
  }
  return bearers
}

type Wanted = { scope: HeldScope; state: State }

async function newToken(service: Service, { browser, owner }: Victim, { scope, state }: Wanted): Promise<string> {
  const asked = scope === 'none' ? 'read' : scope
  const posting = asked === 'publish' || asked === 'publish_with_approval' ? asked : 'read'
  const choice = { posting, webhooks: 'on', account: 'on' }
  const app = await connect(service, browser, { changes: { scope: asked }, choice })
  const { body } = await renew(service, app.clientId, app.refresh, { scope: asked })
  assert.equal(body.scope, asked)
  if (scope === 'none')
    await service.asOwner(
      "update oauth_access_tokens set scopes = '{}' where session_id in (select id from oauth_sessions where client_id = $1)",
      [app.clientId],
    )
  const ends: Partial<Record<State, () => Promise<unknown>>> = {
    'revoked by the app': () =>
      postForm(service, '/oauth/revoke', { token: body.refresh_token, client_id: app.clientId }),
    'disconnected by the owner': async () => owner.post(`/account/keys/${await keyOf(service, app.clientId)}/revoke`),
    'ended by a replay': () => renew(service, app.clientId, app.refresh),
  }
  await ends[state]?.()
  return String(body.access_token)
}

async function keyOf(service: Service, clientId: string): Promise<string> {
  const [key] = await service.asOwner<{ id: string }>('select id from api_keys where client_id = $1', [clientId])
  return String(key?.id)
}

/** A key does not expire, and no app can end it. */
async function newKey(
  service: Service,
  { accountId, owner }: Victim,
  { scope, state, slot }: Wanted & { slot: number },
): Promise<Bearer | null> {
  if (scope === 'none' || !['valid', 'disconnected by the owner', 'expired'].includes(state)) return null
  const { id, apiKey } = await seedKey(service, { accountId, slot, scopes: [scope] })
  if (state === 'disconnected by the owner') assert.equal((await owner.post(`/account/keys/${id}/revoke`)).status, 303)
  return { kind: 'key', scope, state, token: apiKey, isValid: state !== 'disconnected by the owner' }
}

/** The only secret that an app has before its owner decides. */
async function askForDevice(service: Service): Promise<string> {
  const { body } = await register(service, { grant_types: [deviceGrant] })
  return String((await postForm(service, '/oauth/device', { client_id: body.client_id })).body.device_code)
}
