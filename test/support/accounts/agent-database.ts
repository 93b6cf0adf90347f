import assert from 'node:assert/strict'
import { checkAgentKey } from '../../../src/accounts/agents/check-agent-key.ts'
import { confirmAgent } from '../../../src/accounts/agents/decide-agent.ts'
import { noteSignature } from '../../../src/accounts/agents/note-signature.ts'
import type { DirectoryReader } from '../../../src/accounts/agents/read-directory.ts'
import { recheckAgents } from '../../../src/accounts/agents/recheck-agents.ts'
import { type Connection, connect } from '../../../src/platform/database/database.ts'
import type { DatabaseRole } from '../../../src/platform/database/database-setup.ts'
import { directoryType } from '../../../src/platform/http-signatures/directory.ts'
import { migratedDatabase } from '../../../tooling/services/databases.ts'
import { openAccounts } from '../money/ledger-model.ts'
import { type AgentKey, agentDomain, directoryPath, newAgentKey, signAsAgent } from './signing-agent.ts'

export type AgentDatabase = Awaited<ReturnType<typeof openAgentDatabase>>

export const at = new Date('2026-11-15T12:00:00Z')
const later = (seconds: number) => new Date(at.getTime() + seconds * 1_000)
export const directory_url = `https://${agentDomain}${directoryPath}`

export const directoryOf = (...keys: AgentKey[]): DirectoryReader => ({
  read: async () => ({
    status: 200,
    headers: { 'content-type': directoryType, 'cache-control': '' },
    body: Buffer.from(JSON.stringify({ keys: keys.map(({ jwk }) => jwk) })),
  }),
})

/** A database with what the service does with signed requests, step by step and without its processes. */
export async function openAgentDatabase(name: string) {
  await using opening = new AsyncDisposableStack()
  const database = opening.use(await migratedDatabase(name))
  const connections = new Map<DatabaseRole, Connection>()
  for (const role of ['migrator', 'api', 'worker', 'owner_page'] as const)
    connections.set(role, opening.use(connect(database.urls[role], { poolMax: 4, applicationName: 'agents test' })))
  const stack = opening.move()
  const dbOf = (role: DatabaseRole) => (connections.get(role) as Connection).db

  const newAccount = async () => String((await openAccounts(dbOf('migrator'), { prepaidMicros: 0 }))[0])

  function sign(accountId: string, key: AgentKey, seconds = 0) {
    const origin = 'https://messages.example'
    const headers = signAsAgent(key, { method: 'GET', url: `${origin}/v1/account`, at: later(seconds) })
    const request = { method: 'GET', origin, path: '/v1/account', query: '', headers, body: null }
    return noteSignature(dbOf('api'), { accountId, request, at: later(seconds) })
  }

  const check = (accountId: string, key: AgentKey, outbound = directoryOf(key)) =>
    checkAgentKey(
      { db: dbOf('worker'), clock: { now: () => at }, outbound },
      { account_id: accountId, directory_url, key_id: key.keyId },
    )

  const confirm = (accountId: string, key: AgentKey) =>
    confirmAgent(dbOf('owner_page'), { accountId, domain: agentDomain, keyId: key.keyId, at })

  async function statesOf(accountId: string): Promise<Record<string, string>> {
    const rows = dbOf('migrator')
      .selectFrom('agent_keys')
      .select(['key_id', 'state'])
      .where('account_id', '=', accountId)
    return Object.fromEntries((await rows.execute()).map(({ key_id, state }) => [key_id, state]))
  }

  async function verified() {
    const [accountId, key] = [await newAccount(), newAgentKey()]
    await sign(accountId, key)
    await check(accountId, key)
    assert.equal(await confirm(accountId, key), 'confirmed')
    return { accountId, key }
  }

  const recheck = (seconds: number, outbound: DirectoryReader) =>
    recheckAgents({
      ...{ db: dbOf('worker'), clock: { now: () => later(seconds) }, outbound, signal: new AbortController().signal },
    })

  return {
    ...{ later, dbOf, newAccount, sign, check, confirm, statesOf, verified, recheck },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
