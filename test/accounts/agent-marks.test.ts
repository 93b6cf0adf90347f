import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { readVerifiedAgent } from '../../src/accounts/agents/agent-mark.ts'
import { readAgentRecord } from '../../src/accounts/agents/agent-record.ts'
import { confirmAgent, declineAgent } from '../../src/accounts/agents/decide-agent.ts'
import {
  type AgentDatabase,
  at,
  directory_url,
  directoryOf,
  openAgentDatabase,
} from '../support/accounts/agent-database.ts'
import { agentDomain, directoryPath, newAgentKey } from '../support/accounts/signing-agent.ts'

let agents: AgentDatabase
before(async () => {
  agents = await openAgentDatabase('agent_marks')
})
after(() => agents?.[Symbol.asyncDispose]())

const shownMark = async (accountId: string) => (await readVerifiedAgent(agents.dbOf('worker'), accountId))?.domain

test('a ban hides the mark, and its end shows it again', async () => {
  const { accountId } = await agents.verified()
  const setStanding = (standing: 'good' | 'banned') =>
    agents.dbOf('migrator').updateTable('accounts').set({ standing }).where('id', '=', accountId).execute()
  const refreshes = async () => {
    const { rows } =
      await sql`select from pgboss.job where name = 'refresh-author-mark' and data ->> 'account_id' = ${accountId}
      and state < 'completed'`.execute(agents.dbOf('migrator'))
    return rows.length
  }
  assert.equal(await shownMark(accountId), agentDomain)
  for (const [standing, shown] of [
    ['banned', undefined],
    ['good', agentDomain],
  ] as const) {
    await sql`delete from pgboss.job where name = 'refresh-author-mark'`.execute(agents.dbOf('migrator'))
    await setStanding(standing)
    assert.equal(await shownMark(accountId), shown)
    await agents.recheck(0, directoryOf())
    assert.equal(await refreshes(), 1, 'its posts follow')
    await agents.recheck(0, directoryOf())
    assert.equal(await refreshes(), 1, 'once')
  }
})

test('a mark ends after 30 days without a signed request, and each signature renews it', async () => {
  const day = 86_400
  const { accountId, key } = await agents.verified()
  await agents.sign(accountId, key, 20 * day)
  await agents.recheck(31 * day, directoryOf(key))
  assert.deepEqual(await agents.statesOf(accountId), { [key.keyId]: 'verified' })
  const forged = { ...key, privateKey: newAgentKey().privateKey }
  await agents.sign(accountId, forged, 49 * day)
  await agents.recheck(51 * day, directoryOf(key))
  assert.deepEqual(await agents.statesOf(accountId), { [key.keyId]: 'lost' })
})

test('a mark that is replaced while it is declined stays as the owner decided last', async () => {
  const { accountId, key: old } = await agents.verified()
  const next = newAgentKey()
  await agents
    .dbOf('migrator')
    .insertInto('agent_keys')
    .values({
      ...{ account_id: accountId, domain: 'next.example', directory_url: `https://next.example${directoryPath}` },
      ...{ key_id: next.keyId, state: 'awaiting_owner', signed_at: at, checked_at: at },
    })
    .execute()
  const choice = { accountId, domain: 'next.example', keyId: next.keyId, at }
  const both = await Promise.all([
    declineAgent(agents.dbOf('owner_page'), choice),
    confirmAgent(agents.dbOf('owner_page'), choice),
  ])
  const states = await agents.statesOf(accountId)
  assert.deepEqual(
    states,
    both[0]
      ? { [old.keyId]: 'verified', [next.keyId]: 'declined' }
      : { [old.keyId]: 'declined', [next.keyId]: 'verified' },
  )
  assert.equal(both[1], both[0] ? 'gone' : 'confirmed')
})

test('the API makes no mark', async () => {
  const { accountId, key } = await agents.verified()
  const row = { account_id: accountId, domain: 'api.example', directory_url: `https://api.example${directoryPath}` }
  const insert = { ...row, key_id: newAgentKey().keyId, state: 'verified' as const, signed_at: at, decided_at: at }
  await assert.rejects(agents.dbOf('api').insertInto('agent_keys').values(insert).execute(), /permission denied/)
  await declineAll(accountId)
  await assert.rejects(
    agents
      .dbOf('api')
      .updateTable('agent_keys')
      .set({ state: 'verified' })
      .where('account_id', '=', accountId)
      .execute(),
    /may not make an agent verified/,
  )
  assert.deepEqual(await agents.statesOf(accountId), { [key.keyId]: 'declined' })
})

const declineAll = (accountId: string) =>
  agents
    .dbOf('migrator')
    .updateTable('agent_keys')
    .set({ state: 'declined' })
    .where('account_id', '=', accountId)
    .execute()

test('the account record shows the mark, however many keys were refused after it', async () => {
  const { accountId } = await agents.verified()
  const refused = Array.from({ length: 60 }, (_, index) => ({
    ...{ account_id: accountId, domain: agentDomain, directory_url, key_id: newAgentKey().keyId },
    ...{
      state: 'refused' as const,
      refusal: 'wrong_signature',
      signed_at: agents.later(index),
      checked_at: agents.later(index),
    },
  }))
  await agents.dbOf('migrator').insertInto('agent_keys').values(refused).execute()
  assert.equal((await readAgentRecord(agents.dbOf('api'), accountId))?.state, 'verified')
})
