import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { enqueue } from '../../../src/jobs/enqueue.ts'
import type { AgentRefusalCode } from '../../../src/platform/http-signatures/refusal.ts'
import { openOwner } from '../../../tooling/clients/owner.ts'
import { startService } from '../../../tooling/environment/service.ts'
import { pickPrivateAddress } from '../../../tooling/network/https-receiver.ts'
import { waitFor } from '../../../tooling/services/state.ts'
import { type AgentKey, agentDomain, signAsAgent, startDirectoryServer } from './signing-agent.ts'

export type AgentFixture = Awaited<ReturnType<typeof openAgentFixture>>

type Signing = { key: AgentKey; domain?: string; nonce?: string; change?: (headers: Record<string, string>) => object }

/** The whole service with a worker, and a server that publishes the keys of agents. */
export async function openAgentFixture() {
  await using opening = new AsyncDisposableStack()
  const directory = opening.use(await startDirectoryServer())
  const inside = pickPrivateAddress()
  const { zone, certificateAuthorities } = directory.receivers
  const receivers = { zone: { ...zone, 'inside.example.test': { a: [inside] } }, certificateAuthorities }
  const service = opening.use(await startService({ judges: true, receivers }))
  const stack = opening.move()
  let offset = 0
  /** An account whose agent reads its own record with a signature. */
  const newAgent = async () => {
    const { id, api_key, client } = await service.createAccount()
    const url = `${service.baseUrl}/v1/account`
    const state = async () => (await client.getAccount()).body.verified_agent
    return {
      id,
      api_key,
      state,
      call: async ({ change = (headers) => headers, ...signing }: Signing, path = '/v1/account') => {
        const headers = signAsAgent(signing.key, { method: 'GET', url, at: service.clock.now(), ...signing })
        const response = await fetch(`${service.baseUrl}${path}`, {
          headers: { authorization: `Bearer ${api_key}`, ...change(headers) },
        })
        assert.equal(response.status, 200, 'a signature never makes a request fail')
      },
      until: (wanted: string, code?: AgentRefusalCode) =>
        waitFor(
          async () => {
            const now = await state()
            return now?.state === wanted && (code === undefined || now.last_refusal?.code === code)
          },
          `the state ${wanted} ${code ?? ''}`,
        ),
      confirm: async (key: AgentKey, domain = agentDomain) => {
        const owner = await openOwner(service, id)
        await owner.post('/account/agents/confirm', { domain, key_id: key.keyId })
      },
    }
  }
  return {
    directory,
    /** The private address of inside.example.test. */
    inside,
    service,
    newAgent,
    /** Advances the clock by this many seconds. */
    pass: (seconds: number) => {
      offset += seconds * 1_000
      service.clock.setOffset(offset)
    },
    recheck: async () => {
      await service.asWorker((tx) => enqueue(tx, 'recheck-agents', {}))
      await service.settle()
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

export const directoryType = 'application/http-message-signatures-directory+json'

export function answering(status: number, contentType: string, body: unknown): RequestListener {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return (_, response) => response.writeHead(status, { 'content-type': contentType }).end(text)
}
