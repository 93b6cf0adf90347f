import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readMailboxCode } from '../../../src/accounts/mailbox-sign-in/mailbox-codes.ts'
import { openSealing } from '../../../src/platform/sealing.ts'
import { settings } from '../../../src/platform/settings/settings.ts'
import { type OwnerBrowser, openOwnerBrowser } from '../../../tooling/clients/owner.ts'
import type { Service } from '../../../tooling/environment/service.ts'

export const redirectUri = 'http://127.0.0.1:7777/callback'

export type Pkce = { verifier: string; challenge: string }

export function newPkce(): Pkce {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** Sends a form to one of the endpoints for programs. */
export async function postForm(service: Service, path: string, fields: Record<string, string> | URLSearchParams) {
  const response = await fetch(`${service.accountPageUrl}${path}`, {
    method: 'POST',
    body: new URLSearchParams(fields),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : null }
}

/** Registers an app. */
export async function register(service: Service, metadata: Record<string, unknown> = {}) {
  const response = await fetch(`${service.accountPageUrl}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Test app', redirect_uris: [redirectUri], ...metadata }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, never> & { client_id: string } }
}

type Asking = { clientId: string; pkce: Pkce } & Record<string, unknown>

/** The query of an authorization request. Undefined removes a parameter. */
export function authorizeQuery(service: Service, { clientId, pkce, ...changes }: Asking): URLSearchParams {
  const usual = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: pkce.challenge,
    code_challenge_method: 'S256',
    scope: 'read publish',
    state: 'a state with spaces & more',
    resource: `${service.accountPageUrl}/mcp`,
    ...changes,
  }
  const entries = Object.entries(usual).filter(([, value]) => value !== undefined)
  return new URLSearchParams(entries.map(([name, value]) => [name, String(value)]))
}

/** A browser of the signed-in owner. */
export function signedIn(service: Service, token: string): OwnerBrowser {
  const browser = openOwnerBrowser(service)
  browser.cookies.set('broadside_owner', token)
  return browser
}

/** The address of the consent page. */
export async function ask(browser: OwnerBrowser, query: URLSearchParams): Promise<string> {
  const asked = await browser.get(`/oauth/authorize?${query}`)
  assert.equal(asked.status, 303, asked.page)
  assert.match(String(asked.location), /^\/connect\/[\w-]{43}$/, String(asked.location))
  const page = await browser.get(String(asked.location))
  assert.equal(page.status, 200, page.page)
  return String(asked.location)
}

export type Choice = Partial<Record<'decision' | 'posting' | 'webhooks' | 'account' | 'cap', string>>

/** Decides a request and returns the parameters that the app receives. */
export async function decide(browser: OwnerBrowser, path: string, choice: Choice = {}): Promise<URLSearchParams> {
  const decided = await browser.submit(path, { decision: 'allow', posting: 'publish', cap: '1.00', ...choice })
  assert.equal(decided.status, 303, decided.page)
  return new URL(String(decided.location)).searchParams
}

export type Tokens = { access_token: string; refresh_token: string; scope: string; expires_in: number }

/** Connects an app to the account of this session. */
export async function connectApp(service: Service, token: string, choice: Choice & { scope?: string } = {}) {
  const { scope = 'read publish', ...chosen } = choice
  const { body: client } = await register(service)
  const pkce = newPkce()
  const browser = signedIn(service, token)
  const path = await ask(browser, authorizeQuery(service, { clientId: client.client_id, pkce, scope }))
  const parameters = await decide(browser, path, chosen)
  const exchange = {
    grant_type: 'authorization_code',
    code: String(parameters.get('code')),
    client_id: client.client_id,
    redirect_uri: redirectUri,
    code_verifier: pkce.verifier,
  }
  const answer = await postForm(service, '/oauth/token', exchange)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return { clientId: client.client_id, tokens: answer.body as Tokens, exchange }
}

/** Reads the newest emailed code of a mailbox from the database. */
export async function readNewestCode(service: Service, secretsKeys: string): Promise<string> {
  const [newest] = await service.asOwner<{ id: number }>('select max(id)::int as id from mailbox_codes')
  const sealing = openSealing(settings.SECRETS_KEYS.parse(secretsKeys))
  const mailed = await readMailboxCode(service.workerDb, sealing, { id: Number(newest?.id), at: service.clock.now() })
  return String(mailed?.code)
}
