import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { startOwnerSession } from '../../../src/accounts/sign-in/sessions.ts'
import { showProgress } from '../../../src/bin/progress.ts'
import { connect, inTransaction } from '../../../src/platform/database/database.ts'
import { ownerWith } from '../../../tooling/clients/owner.ts'
import { type Random, randomFor } from '../../../tooling/random.ts'
import { patienceMs } from '../../../tooling/services/state.ts'
import { type Environment, openEnvironment } from './environment.ts'
import type { Kept } from './keep-process.ts'
import { toSeconds } from './outcomes.ts'
import { openPool } from './traffic.ts'

type Options = { flows: number; owners: number; seed: number }

/** What one flow saw: whether the owner allowed it, and how often each code and refresh token worked. */
type Flow = { clientId: string; wasAllowed: boolean; worked: number[]; wasConnected: boolean }

const redirectUri = 'http://127.0.0.1:7/callback'

/**
 * Owners connect apps, decline or leave, while the owner page is killed at random. Each code and each refresh token is
 * sent up to three times at once. None may work twice, and no app may be connected that its owner did not allow.
 */
export async function connectWhileKilling({ flows, owners, seed }: Options) {
  const startedAt = performance.now()
  await using environment = await openEnvironment({ driver: 'always-on', workers: 1 })
  const ownerPage = await environment.startOwnerPage()
  await using page = connect(environment.database.urls.owner_page, { poolMax: 2, applicationName: 'chaos owners' })
  const origin = String(environment.settings.ACCOUNT_PAGE_URL)
  const accounts = await environment.createAccounts(owners, 1_000_000)
  const sessions = await Promise.all(
    accounts.map(({ id }) =>
      inTransaction(page.db, (tx) => startOwnerSession(tx, { accountId: id, browser: 'Firefox', at: new Date() })),
    ),
  )
  const all: Flow[] = []
  const broken: string[] = []
  const show = showProgress('flows')
  const pool = openPool(owners)
  const killer = startKilling(ownerPage, randomFor(seed, 0))
  // A fast machine may play all flows before the first kill.
  for (let number = 1; number <= flows || killer.kills() === 0; number++) {
    await pool.untilLeft(owners)
    pool.add(async () => {
      const flow: Flow = { clientId: '', wasAllowed: false, worked: [], wasConnected: false }
      all.push(flow)
      const person = { origin, session: String(sessions[number % owners]), random: randomFor(seed, number) }
      await play(person, flow).catch((error) => broken.push(`flow ${number}: ${error}`))
      show(all.length, Math.max(flows, all.length))
    })
  }
  await pool.untilLeft(0)
  await killer.end()
  await ownerPage.untilUp()
  broken.push(...(await findFaults(environment, all)), ...environment.deaths(), ...ownerPage.deaths)
  return {
    flows: all.length,
    seed,
    kills: killer.kills(),
    allowed: all.filter(({ wasAllowed }) => wasAllowed).length,
    connected: all.filter(({ wasConnected }) => wasConnected).length,
    renewals: all.reduce((sum, { worked }) => sum + Math.max(0, worked.filter((count) => count > 0).length - 1), 0),
    seconds: toSeconds(performance.now() - startedAt),
    ...environment.logsIf(broken.length > 0),
    broken,
  }
}

function startKilling(victim: Kept, random: Random) {
  let [kills, isOver] = [0, false]
  const killing = (async () => {
    while (!isOver) {
      await victim.untilUp()
      await sleep(100 + random.below(500))
      if (isOver) return
      await victim.kill()
      kills += 1
    }
  })()
  return {
    kills: () => kills,
    end: () => {
      isOver = true
      return killing
    },
  }
}

type Person = { origin: string; session: string; random: Random }

async function play({ origin, session, random }: Person, flow: Flow): Promise<void> {
  const owner = ownerWith({ accountPageUrl: origin }, session)
  const registered = await untilAnswered(() =>
    fetch(`${origin}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_name: 'Chaos', redirect_uris: [redirectUri] }),
    }),
  )
  flow.clientId = String(((await registered.json()) as { client_id: string }).client_id)
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: flow.clientId,
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const asked = await untilAnswered(() => owner.get(`/oauth/authorize?${query}`))
  const path = String(asked.headers.get('location'))
  const mood = random.below(10)
  if (mood === 0) return
  flow.wasAllowed = mood > 1
  const choice = { decision: flow.wasAllowed ? 'allow' : 'deny', posting: 'publish', cap: '1' }
  // The response may be lost: then the request is decided, and its code is gone with the response.
  const decided = await untilAnswered(() => owner.post(path, choice))
  const code = new URL(decided.headers.get('location') ?? '/', origin).searchParams.get('code')
  if (!code) return
  const form = { client_id: flow.clientId, redirect_uri: redirectUri, code_verifier: verifier }
  let token = await spend(origin, flow, random, { grant_type: 'authorization_code', code, ...form })
  flow.wasConnected = token !== null
  while (token && random.chance(0.7))
    token = await spend(origin, flow, random, {
      grant_type: 'refresh_token',
      refresh_token: token,
      client_id: flow.clientId,
    })
}

/** Sends the same code or token one to three times at once, and returns the refresh token of a success. */
async function spend(origin: string, flow: Flow, random: Random, form: Record<string, string>): Promise<string | null> {
  const send = async () => {
    const response = await fetch(`${origin}/oauth/token`, { method: 'POST', body: new URLSearchParams(form) }).catch(
      () => null,
    )
    if (response?.status !== 200) return null
    return ((await response.json().catch(() => null)) as { refresh_token?: string } | null)?.refresh_token ?? null
  }
  const got = await Promise.all(Array.from({ length: 1 + random.below(3) }, send))
  const worked = got.filter((token) => token !== null)
  flow.worked.push(worked.length)
  return worked[0] ?? null
}

async function untilAnswered(send: () => Promise<Response>): Promise<Response> {
  for (const until = performance.now() + patienceMs; performance.now() < until; await sleep(50)) {
    const answer = await send().catch(() => null)
    if (answer && answer.status < 500) return answer
  }
  throw new Error('the owner page did not respond')
}

/** What must never be: a code or token that worked twice, or an app that no owner allowed. */
async function findFaults(environment: Environment, all: readonly Flow[]): Promise<string[]> {
  const twice = all.filter(({ worked }) => worked.some((count) => count > 1))
  const apps = await environment.query<{ client_id: string; decided: boolean }>(
    `select k.client_id, exists (
       select from oauth_requests r where r.key_id = k.id and r.decided_at is not null
     ) as decided from api_keys k where k.client_id is not null`,
  )
  const allowed = new Set(all.filter(({ wasAllowed }) => wasAllowed).map(({ clientId }) => clientId))
  const doubled = await environment.query<{ client_id: string }>(
    'select client_id from oauth_sessions group by client_id having count(*) > 1',
  )
  const orphans = await environment.query<{ id: string }>(
    'select s.id from oauth_sessions s where not exists (select from oauth_requests r where r.session_id = s.id)',
  )
  return [
    ...twice.map(({ clientId }) => `a code or token of ${clientId} worked twice`),
    ...apps.filter(({ decided }) => !decided).map(({ client_id }) => `${client_id} has no decision`),
    ...apps.filter(({ client_id }) => !allowed.has(client_id)).map(({ client_id }) => `${client_id} was not allowed`),
    ...doubled.map(({ client_id }) => `${client_id} has two sessions from one consent`),
    ...orphans.map(({ id }) => `the session ${id} belongs to no request`),
  ]
}
