import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { declineAgent } from '../../src/accounts/agents/decide-agent.ts'
import type { DirectoryReader } from '../../src/accounts/agents/read-directory.ts'
import { agentPurges, recheckAgents } from '../../src/accounts/agents/recheck-agents.ts'
import { agentChecksPerDay, agentConfirmationsPerDay, maxWaitingAgents } from '../../src/contract/agent-limits.ts'
import { utcDay } from '../../src/contract/time/utc-day.ts'
import { inTransaction } from '../../src/platform/database/database.ts'
import { waitFor } from '../../tooling/services/state.ts'
import { type AgentDatabase, at, directoryOf, openAgentDatabase } from '../support/accounts/agent-database.ts'
import { type AgentKey, agentDomain, directoryPath, newAgentKey } from '../support/accounts/signing-agent.ts'

let agents: AgentDatabase
before(async () => {
  agents = await openAgentDatabase('agent_races')
})
after(() => agents?.[Symbol.asyncDispose]())

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

test('a second run of a check leaves a mark that the owner has confirmed meanwhile', async () => {
  const [accountId, key] = [await agents.newAccount(), newAgentKey()]
  await agents.sign(accountId, key)
  const slow = slowDirectory(key)
  const second = agents.check(accountId, key, slow.outbound)
  await slow.asked
  await agents.check(accountId, key)
  await agents.confirm(accountId, key)
  slow.answer()
  await second
  assert.deepEqual(await agents.statesOf(accountId), { [key.keyId]: 'verified' })
})

test('two runs of one check at once replace a key once', async () => {
  const { accountId } = await agents.verified()
  const next = newAgentKey()
  await agents.sign(accountId, next)
  const slow = slowDirectory(next)
  const runs = Promise.all([agents.check(accountId, next, slow.outbound), agents.check(accountId, next, slow.outbound)])
  await slow.asked
  slow.answer()
  await runs
  assert.deepEqual(await agents.statesOf(accountId), { [next.keyId]: 'verified' })
})

test('a check decides nothing about a signature that came later', async () => {
  const [accountId, key] = [await agents.newAccount(), newAgentKey()]
  await agents.sign(accountId, key)
  const slow = slowDirectory()
  const first = agents.check(accountId, key, slow.outbound)
  await slow.asked
  await agents.sign(accountId, key, 3_601)
  slow.answer()
  await first
  assert.deepEqual(await agents.statesOf(accountId), { [key.keyId]: 'checking' })
  await agents.check(accountId, key)
  assert.deepEqual(await agents.statesOf(accountId), { [key.keyId]: 'awaiting_owner' })
})

test('of two signatures at once, the first is checked', async () => {
  const [accountId, key] = [await agents.newAccount(), newAgentKey()]
  const counted = { allowance: 'agent-checks-per-account', subject: accountId, day: utcDay(at), used: 1 }
  await agents.dbOf('migrator').insertInto('allowance_uses').values(counted).execute()
  const waiting = async (count: number) => {
    const { rows } = await sql`select from pg_locks join pg_stat_activity using (pid)
      where datname = current_database() and not granted`.execute(agents.dbOf('migrator'))
    return rows.length === count
  }
  const notes = await inTransaction(agents.dbOf('migrator'), async (tx) => {
    await sql`select from allowance_uses where subject = ${accountId} for update`.execute(tx)
    const first = agents.sign(accountId, key)
    await waitFor(() => waiting(1), 'the first signature to wait')
    const second = agents.sign(accountId, key, 1)
    await waitFor(() => waiting(2), 'the second signature to wait')
    return [first, second]
  })
  await Promise.all(notes)
  const rows = agents.dbOf('migrator').selectFrom('agent_keys').select('signed_at').where('account_id', '=', accountId)
  assert.deepEqual(await rows.execute(), [{ signed_at: at }])
})

test('a domain can return to a key that it replaced', async () => {
  const { accountId, key } = await agents.verified()
  const next = newAgentKey()
  for (const one of [next, key]) {
    await agents.sign(accountId, one, 400)
    await agents.check(accountId, one)
    assert.deepEqual(await agents.statesOf(accountId), { [one.keyId]: 'verified' })
  }
})

test('beyond the checks of a day, no nonces are stored', async () => {
  const accountId = await agents.newAccount()
  const keys = Array.from({ length: agentChecksPerDay + 2 }, newAgentKey)
  for (const key of keys) {
    await agents.sign(accountId, key)
    await agents.check(accountId, key, directoryOf())
  }
  const rows = agents
    .dbOf('migrator')
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
  const accountId = await agents.newAccount()
  for (const [day, key] of waitingKeys.entries()) {
    await agents.sign(accountId, key, day * 86_400)
    await agents.check(accountId, key)
  }
  const next = newAgentKey()
  for (let more = 0; more <= agentChecksPerDay; more += 1) await agents.sign(accountId, next, 7 * 86_400)
  assert.equal(Object.keys(await agents.statesOf(accountId)).length, maxWaitingAgents)
  assert.equal(await refusalOf(accountId), 'too_many_waiting')
  await declineAgent(agents.dbOf('owner_page'), {
    accountId,
    domain: agentDomain,
    keyId: String(waitingKeys[0]?.keyId),
    at,
  })
  await agents.sign(accountId, next, 7 * 86_400)
  assert.equal((await agents.statesOf(accountId))[next.keyId], 'checking')
})

async function refusalOf(accountId: string) {
  const rows = agents
    .dbOf('migrator')
    .selectFrom('agent_refusals')
    .select('refusal')
    .where('account_id', '=', accountId)
  return (await rows.executeTakeFirst())?.refusal
}

test('a key that the owner has not decided about for 30 days is deleted, and a mark stays', async () => {
  const { accountId: marked } = await agents.verified()
  const [waiting, key] = [await agents.newAccount(), newAgentKey()]
  await agents.sign(waiting, key)
  await agents.check(waiting, key)
  await agentPurges['waiting-agent-keys'](agents.dbOf('worker'), agents.later(30 * 86_400))
  assert.deepEqual(await agents.statesOf(waiting), { [key.keyId]: 'awaiting_owner' })
  await agentPurges['waiting-agent-keys'](agents.dbOf('worker'), agents.later(30 * 86_400 + 1))
  assert.deepEqual(await agents.statesOf(waiting), {})
  assert.deepEqual(Object.values(await agents.statesOf(marked)), ['verified'])
})

test('directories of marks are read before those of keys that wait', async () => {
  await sql`truncate agent_keys`.execute(agents.dbOf('migrator'))
  const account = await agents.newAccount()
  const urlOf = (domain: string) => `https://${domain}${directoryPath}`
  const row = (domain: string, more: object) => ({
    ...{ account_id: account, domain, directory_url: urlOf(domain), key_id: newAgentKey().keyId },
    ...{ signed_at: at, state: 'awaiting_owner' as const, checked_at: at, ...more },
  })
  const waiting = Array.from({ length: 6 }, (_, index) => row(`waits${index}.example`, {}))
  const mark = row('shown.example', { state: 'verified', decided_at: at, checked_at: agents.later(60) })
  await agents
    .dbOf('migrator')
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
  const clock = { now: () => agents.later(2 * 86_400) }
  await recheckAgents({ db: agents.dbOf('worker'), clock, outbound, signal: new AbortController().signal })
  assert.equal(read[0], urlOf('shown.example'))
  assert.equal(read.length, 7)
})

test('a banned account confirms nothing', async () => {
  const [accountId, key] = [await agents.newAccount(), newAgentKey()]
  await agents.sign(accountId, key)
  await agents.check(accountId, key)
  await sql`update accounts set standing = 'banned' where id = ${accountId}`.execute(agents.dbOf('migrator'))
  assert.equal(await agents.confirm(accountId, key), 'banned')
  assert.deepEqual(await agents.statesOf(accountId), { [key.keyId]: 'awaiting_owner' })
})

test('an owner confirms at most five times a day', async () => {
  const { accountId, key } = await agents.verified()
  const again = async () => {
    await sql`update agent_keys set state = 'awaiting_owner' where account_id = ${accountId}`.execute(
      agents.dbOf('migrator'),
    )
    return agents.confirm(accountId, key)
  }
  for (let more = 1; more < agentConfirmationsPerDay; more += 1) assert.equal(await again(), 'confirmed')
  assert.equal(await again(), 'too_many')
  assert.deepEqual(await agents.statesOf(accountId), { [key.keyId]: 'awaiting_owner' })
})
