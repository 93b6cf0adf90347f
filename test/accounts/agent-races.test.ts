import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { checkAgentKey } from '../../src/accounts/agents/check-agent-key.ts'
import { confirmAgent, declineAgent } from '../../src/accounts/agents/decide-agent.ts'
import { noteSignature } from '../../src/accounts/agents/note-signature.ts'
import type { DirectoryReader } from '../../src/accounts/agents/read-directory.ts'
import { agentPurges, recheckAgents } from '../../src/accounts/agents/recheck-agents.ts'
import { agentChecksPerDay, agentConfirmationsPerDay, maxWaitingAgents } from '../../src/contract/agent-limits.ts'
import { utcDay } from '../../src/contract/time/utc-day.ts'
import { type Connection, connect, inTransaction } from '../../src/platform/database/database.ts'
import type { DatabaseRole } from '../../src/platform/database/database-setup.ts'
import { directoryType } from '../../src/platform/http-signatures/directory.ts'
import { migratedDatabase, type OwnDatabase } from '../../tooling/services/databases.ts'
import { waitFor } from '../../tooling/services/state.ts'
import {
  type AgentKey,
  agentDomain,
  directoryPath,
  newAgentKey,
  signAsAgent,
} from '../support/accounts/signing-agent.ts'
import { openAccounts } from '../support/money/ledger-model.ts'

const stack = new AsyncDisposableStack()
let database: OwnDatabase
const connections = new Map<DatabaseRole, Connection>()
before(async () => {
  database = stack.use(await migratedDatabase('agent_races'))
  for (const role of ['migrator', 'api', 'worker', 'owner_page'] as const)
    connections.set(role, stack.use(connect(database.urls[role], { poolMax: 4, applicationName: 'agent races test' })))
})
after(() => stack.disposeAsync())

const dbOf = (role: DatabaseRole) => (connections.get(role) as Connection).db
const at = new Date('2026-11-15T12:00:00Z')
const later = (seconds: number) => new Date(at.getTime() + seconds * 1_000)
const directory_url = `https://${agentDomain}${directoryPath}`
const newAccount = async () => String((await openAccounts(dbOf('migrator'), { prepaidMicros: 0 }))[0])

function sign(accountId: string, key: AgentKey, seconds = 0) {
  const origin = 'https://messages.example'
  const headers = signAsAgent(key, { method: 'GET', url: `${origin}/v1/account`, at: later(seconds) })
  const request = { method: 'GET', origin, path: '/v1/account', query: '', headers, body: null }
  return noteSignature(dbOf('api'), { accountId, request, at: later(seconds) })
}

const directoryOf = (...keys: AgentKey[]): DirectoryReader => ({
  read: async () => ({
    status: 200,
    headers: { 'content-type': directoryType, 'cache-control': '' },
    body: Buffer.from(JSON.stringify({ keys: keys.map(({ jwk }) => jwk) })),
  }),
})

const check = (accountId: string, key: AgentKey, outbound = directoryOf(key)) =>
  checkAgentKey(
    { db: dbOf('worker'), clock: { now: () => at }, outbound },
    { account_id: accountId, directory_url, key_id: key.keyId },
  )

const confirm = (accountId: string, key: AgentKey) =>
  confirmAgent(dbOf('owner_page'), { accountId, domain: agentDomain, keyId: key.keyId, at })

async function statesOf(accountId: string): Promise<Record<string, string>> {
  const rows = dbOf('migrator').selectFrom('agent_keys').select(['key_id', 'state']).where('account_id', '=', accountId)
  return Object.fromEntries((await rows.execute()).map(({ key_id, state }) => [key_id, state]))
}

/** A reader that answers only when it is told to. `asked` waits until somebody reads. */
function slowDirectory(...keys: AgentKey[]) {
  const [read, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const outbound: DirectoryReader = {
    read: async (...given) => {
      read.resolve()
      await answered.promise
      return directoryOf(...keys).read(...given)
    },
  }
  return { outbound, asked: read.promise, answer: () => answered.resolve() }
}

async function verified() {
  const [accountId, key] = [await newAccount(), newAgentKey()]
  await sign(accountId, key)
  await check(accountId, key)
  assert.equal(await confirm(accountId, key), 'confirmed')
  return { accountId, key }
}

test('a second run of a check leaves a mark that the owner has confirmed meanwhile', async () => {
  const [accountId, key] = [await newAccount(), newAgentKey()]
  await sign(accountId, key)
  const slow = slowDirectory(key)
  const second = check(accountId, key, slow.outbound)
  await slow.asked
  await check(accountId, key)
  await confirm(accountId, key)
  slow.answer()
  await second
  assert.deepEqual(await statesOf(accountId), { [key.keyId]: 'verified' })
})

test('two runs of one check at once replace a key once', async () => {
  const { accountId } = await verified()
  const next = newAgentKey()
  await sign(accountId, next)
  const slow = slowDirectory(next)
  const runs = Promise.all([check(accountId, next, slow.outbound), check(accountId, next, slow.outbound)])
  await slow.asked
  slow.answer()
  await runs
  assert.deepEqual(await statesOf(accountId), { [next.keyId]: 'verified' })
})

test('a check decides nothing about a signature that came later', async () => {
  const [accountId, key] = [await newAccount(), newAgentKey()]
  await sign(accountId, key)
  const slow = slowDirectory()
  const first = check(accountId, key, slow.outbound)
  await slow.asked
  await sign(accountId, key, 3_601)
  slow.answer()
  await first
  assert.deepEqual(await statesOf(accountId), { [key.keyId]: 'checking' })
  await check(accountId, key)
  assert.deepEqual(await statesOf(accountId), { [key.keyId]: 'awaiting_owner' })
})

test('of two signatures at once, the first is checked', async () => {
  const [accountId, key] = [await newAccount(), newAgentKey()]
  const counted = { allowance: 'agent-checks-per-account', subject: accountId, day: utcDay(at), used: 1 }
  await dbOf('migrator').insertInto('allowance_uses').values(counted).execute()
  const waiting = async (count: number) => {
    const { rows } = await sql`select from pg_locks join pg_stat_activity using (pid)
      where datname = current_database() and not granted`.execute(dbOf('migrator'))
    return rows.length === count
  }
  const notes = await inTransaction(dbOf('migrator'), async (tx) => {
    await sql`select from allowance_uses where subject = ${accountId} for update`.execute(tx)
    const first = sign(accountId, key)
    await waitFor(() => waiting(1), 'the first signature to wait')
    const second = sign(accountId, key, 1)
    await waitFor(() => waiting(2), 'the second signature to wait')
    return [first, second]
  })
  await Promise.all(notes)
  const rows = dbOf('migrator').selectFrom('agent_keys').select('signed_at').where('account_id', '=', accountId)
  assert.deepEqual(await rows.execute(), [{ signed_at: at }])
})

test('a domain can return to a key that it replaced', async () => {
  const { accountId, key } = await verified()
  const next = newAgentKey()
  for (const one of [next, key]) {
    await sign(accountId, one, 400)
    await check(accountId, one)
    assert.deepEqual(await statesOf(accountId), { [one.keyId]: 'verified' })
  }
})

test('beyond the checks of a day, no nonces are stored', async () => {
  const accountId = await newAccount()
  const keys = Array.from({ length: agentChecksPerDay + 2 }, newAgentKey)
  for (const key of keys) {
    await sign(accountId, key)
    await check(accountId, key, directoryOf())
  }
  const rows = dbOf('migrator')
    .selectFrom('agent_nonces')
    .select('key_id')
    .where(
      'key_id',
      'in',
      keys.map(({ keyId }) => keyId),
    )
  assert.equal((await rows.execute()).length, agentChecksPerDay)
})

const waitingKeys = Array.from({ length: maxWaitingAgents }, newAgentKey)

test('at most five keys of an account wait for its owner, and a refusal costs no check', async () => {
  const accountId = await newAccount()
  for (const [day, key] of waitingKeys.entries()) {
    await sign(accountId, key, day * 86_400)
    await check(accountId, key)
  }
  const next = newAgentKey()
  for (let more = 0; more <= agentChecksPerDay; more += 1) await sign(accountId, next, 7 * 86_400)
  assert.equal(Object.keys(await statesOf(accountId)).length, maxWaitingAgents)
  assert.equal(await refusalOf(accountId), 'too_many_waiting')
  await declineAgent(dbOf('owner_page'), { accountId, domain: agentDomain, keyId: String(waitingKeys[0]?.keyId), at })
  await sign(accountId, next, 7 * 86_400)
  assert.equal((await statesOf(accountId))[next.keyId], 'checking')
})

async function refusalOf(accountId: string) {
  const rows = dbOf('migrator').selectFrom('agent_refusals').select('refusal').where('account_id', '=', accountId)
  return (await rows.executeTakeFirst())?.refusal
}

test('a key that the owner has not decided about for 30 days is deleted, and a mark stays', async () => {
  const { accountId: marked } = await verified()
  const [waiting, key] = [await newAccount(), newAgentKey()]
  await sign(waiting, key)
  await check(waiting, key)
  await agentPurges['waiting-agent-keys'](dbOf('worker'), later(30 * 86_400))
  assert.deepEqual(await statesOf(waiting), { [key.keyId]: 'awaiting_owner' })
  await agentPurges['waiting-agent-keys'](dbOf('worker'), later(30 * 86_400 + 1))
  assert.deepEqual(await statesOf(waiting), {})
  assert.deepEqual(Object.values(await statesOf(marked)), ['verified'])
})

test('directories of marks are read before those of keys that wait', async () => {
  await sql`truncate agent_keys`.execute(dbOf('migrator'))
  const account = await newAccount()
  const urlOf = (domain: string) => `https://${domain}${directoryPath}`
  const row = (domain: string, more: object) => ({
    ...{ account_id: account, domain, directory_url: urlOf(domain), key_id: newAgentKey().keyId },
    ...{ signed_at: at, state: 'awaiting_owner' as const, checked_at: at, ...more },
  })
  const waiting = Array.from({ length: 6 }, (_, index) => row(`waits${index}.example`, {}))
  const mark = row('shown.example', { state: 'verified', decided_at: at, checked_at: later(60) })
  await dbOf('migrator')
    .insertInto('agent_keys')
    .values([...waiting, mark])
    .execute()
  const read: string[] = []
  const outbound: DirectoryReader = {
    read: async (url, given) => {
      read.push(url)
      return directoryOf().read(url, given)
    },
  }
  const clock = { now: () => later(2 * 86_400) }
  await recheckAgents({ db: dbOf('worker'), clock, outbound, signal: new AbortController().signal })
  assert.equal(read[0], urlOf('shown.example'))
  assert.equal(read.length, 7)
})

test('a banned account confirms nothing', async () => {
  const [accountId, key] = [await newAccount(), newAgentKey()]
  await sign(accountId, key)
  await check(accountId, key)
  await sql`update accounts set standing = 'banned' where id = ${accountId}`.execute(dbOf('migrator'))
  assert.equal(await confirm(accountId, key), 'banned')
  assert.deepEqual(await statesOf(accountId), { [key.keyId]: 'awaiting_owner' })
})

test('an owner confirms at most five times a day', async () => {
  const { accountId, key } = await verified()
  const again = async () => {
    await sql`update agent_keys set state = 'awaiting_owner' where account_id = ${accountId}`.execute(dbOf('migrator'))
    return confirm(accountId, key)
  }
  for (let more = 1; more < agentConfirmationsPerDay; more += 1) assert.equal(await again(), 'confirmed')
  assert.equal(await again(), 'too_many')
  assert.deepEqual(await statesOf(accountId), { [key.keyId]: 'awaiting_owner' })
})
