import assert from 'node:assert/strict'
import { type Owner, type OwnerBrowser, openOwner } from '../../../tooling/clients/owner.ts'
import type { Service } from '../../../tooling/environment/service.ts'
import { callMcpTool } from './mcp-call.ts'
import {
  ask,
  authorizeQuery,
  type Choice,
  decide,
  newPkce,
  type Pkce,
  postForm,
  redirectUri,
  register,
  signedIn,
} from './sign-in.ts'

export type Victim = { accountId: string; apiKey: string; owner: Owner; browser: OwnerBrowser }

/** An account with balance, and its owner's browser. */
export async function seedVictim(service: Service): Promise<Victim> {
  const { id, api_key: apiKey } = await service.createCustomer()
  const owner = await openOwner(service, id)
  return { accountId: id, apiKey, owner, browser: signedIn(service, owner.token) }
}

export type Flow = { clientId: string; pkce: Pkce; path: string; request: string; redirect: string }

type Starting = { metadata?: Record<string, unknown>; changes?: Record<string, unknown>; clientId?: string }

/** An app asks for access, and the browser shows the page of its request. */
export async function startFlow(service: Service, browser: OwnerBrowser, starting: Starting = {}): Promise<Flow> {
  const { metadata = {}, changes = {} } = starting
  const clientId = starting.clientId ?? (await register(service, metadata)).body.client_id
  const pkce = newPkce()
  const path = await ask(browser, authorizeQuery(service, { clientId, pkce, ...changes }))
  const redirect = String(changes['redirect_uri'] ?? redirectUri)
  return { clientId, pkce, path, request: path.slice('/connect/'.length), redirect }
}

/** The form that exchanges the code. */
export const exchangeForm = ({ clientId, pkce, redirect }: Flow, code: string) => ({
  grant_type: 'authorization_code',
  code,
  client_id: clientId,
  redirect_uri: redirect,
  code_verifier: pkce.verifier,
})

/** A flow that the owner has allowed. Nobody has exchanged its code yet. */
export async function grantCode(
  service: Service,
  browser: OwnerBrowser,
  starting: Starting & { choice?: Choice } = {},
) {
  const flow = await startFlow(service, browser, starting)
  const parameters = await decide(browser, flow.path, starting.choice)
  const code = String(parameters.get('code'))
  return { ...flow, code, form: exchangeForm(flow, code) }
}

export const exchange = (service: Service, form: Record<string, string>) => postForm(service, '/oauth/token', form)

/** An app with tokens. */
export async function connect(service: Service, browser: OwnerBrowser, starting: Starting & { choice?: Choice } = {}) {
  const granted = await grantCode(service, browser, starting)
  const { status, body } = await exchange(service, granted.form)
  assert.equal(status, 200, JSON.stringify(body))
  return {
    ...granted,
    access: String(body.access_token),
    refresh: String(body.refresh_token),
    scope: String(body.scope),
  }
}

export const renew = (service: Service, clientId: string, refresh_token: string, more: Record<string, string> = {}) =>
  postForm(service, '/oauth/token', { grant_type: 'refresh_token', refresh_token, client_id: clientId, ...more })

/** The status of a call with this token at the endpoint that accepts tokens. */
export const statusWith = async (service: Service, bearer: string | undefined, url = `${service.accountPageUrl}/mcp`) =>
  (await callMcpTool(url, { bearer, name: 'get_account', given: {} })).status

/** Does the same many times at once. */
export const atOnce = <Result>(count: number, act: (index: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => act(index)))

export const countRows = async (service: Service, from: string, values: unknown[] = []): Promise<number> => {
  const [row] = await service.asOwner<{ rows: number }>(`select count(*)::int as rows from ${from}`, values)
  return row?.rows ?? 0
}
