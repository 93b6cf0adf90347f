import assert from 'node:assert/strict'
import { connectApp } from '../../../src/accounts/keys/connected-apps.ts'
import { startSession, type TokenAnswer } from '../../../src/oauth/sessions.ts'
import { connect, inTransaction } from '../../../src/platform/database/database.ts'
import { type Service, startService } from '../../../tooling/environment/service.ts'
import { median } from '../../../tooling/median.ts'
import { decimal, readOptions, wholeNumber } from '../../../tooling/script-options.ts'

const clients = 16
/** The minimum median ratio of calls with a token to calls with a key. */
const bar = 0.8

const ways = ['key', 'token', 'renewal'] as const
type Way = (typeof ways)[number]

/**
 * Calls get_account at the MCP endpoint for all sites with a key and with an access token, and renews tokens, through
 * the gateway and in turns, so that noise affects all three equally.
 */
export async function benchApps(args: string[]): Promise<void> {
  const { seconds, rounds } = readOptions(args, { seconds: decimal(1), rounds: wholeNumber(9) })
  await using service = await startService()
  const account = await service.createAccount()
  const apps = await connectApps(service, account.id)
  const work: Record<Way, (lane: number) => Promise<void>> = {
    key: () => readAccount(service, account.api_key),
    token: (lane) => readAccount(service, String(apps[lane]?.tokens.access_token)),
    renewal: (lane) => renew(service, apps[lane] as App),
  }
  for (const way of ways) await measure(work[way], 2)
  const rates: Record<Way, number[]> = { key: [], token: [], renewal: [] }
  for (let round = 0; round < rounds; round++)
    for (const turn of ways.keys()) {
      const way = ways[(round + turn) % ways.length] as Way
      rates[way].push(await measure(work[way], seconds))
    }
  for (const way of ways) report(way, rates)
}

type App = { clientId: string; tokens: TokenAnswer }

/** One session for each lane, because a refresh token can be used once. */
async function connectApps(service: Service, accountId: string): Promise<App[]> {
  await using page = connect(service.database.urls.owner_page, { poolMax: 2, applicationName: 'bench apps' })
  const at = service.clock.now()
  const clientId = 'https://app.example/client.json'
  return await inTransaction(page.db, async (tx) => {
    const app = { clientId, clientHost: 'app.example', name: 'Bench', scopes: ['read'], dailyCapMicros: null } as const
    const keyId = await connectApp(tx, { ...app, accountId, at })
    const session = { keyId, clientId, scopes: ['read'], resource: `${service.accountPageUrl}/mcp`, at }
    const apps: App[] = []
    while (apps.length < clients) apps.push({ clientId, tokens: (await startSession(tx, session)).answer })
    return apps
  })
}

async function readAccount({ accountPageUrl }: Service, bearer: string): Promise<void> {
  const response = await fetch(`${accountPageUrl}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${bearer}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_account' } }),
  })
  assert.equal(response.status, 200, await response.text())
}

async function renew({ accountPageUrl }: Service, app: App): Promise<void> {
  const form = { grant_type: 'refresh_token', refresh_token: app.tokens.refresh_token, client_id: app.clientId }
  const response = await fetch(`${accountPageUrl}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) })
  assert.equal(response.status, 200)
  app.tokens = (await response.json()) as TokenAnswer
}

/** How often per second all lanes together did the work. */
async function measure(work: (lane: number) => Promise<void>, seconds: number): Promise<number> {
  const startedAt = performance.now()
  let done = 0
  const lane = async (_: unknown, index: number) => {
    while (performance.now() < startedAt + seconds * 1_000) {
      await work(index)
      done += 1
    }
  }
  await Promise.all(Array.from({ length: clients }, lane))
  return done / ((performance.now() - startedAt) / 1_000)
}

/** Each round's ratio is relative to the calls with a key in the same round. */
function report(way: Way, rates: Record<Way, number[]>): void {
  const ratios = rates[way].map((rate, round) => rate / Number(rates.key[round]))
  const ratio = median(ratios)
  const [low, high] = [Math.min(...ratios), Math.max(...ratios)].map(round2)
  const row = {
    bench: 'apps',
    way,
    per_second: Math.round(median(rates[way])),
    ratio: round2(ratio),
    from: low,
    to: high,
  }
  const isHeld = way === 'token'
  console.log(JSON.stringify({ ...row, ...(isHeld && { bar, passes: ratio >= bar }) }))
  if (isHeld && ratio < bar) process.exitCode = 1
}

const round2 = (value: number) => Math.round(value * 100) / 100
