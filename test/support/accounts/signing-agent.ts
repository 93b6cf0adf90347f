import { createHash, randomBytes } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { component, createSignatureSync } from 'http-message-sig'
import { signEd25519 } from '../../../src/platform/ed25519.ts'
import { keysFromSeed, thumbprintOfJwk } from '../../../src/platform/http-signatures/jwk-keys.ts'
import { makeCertificates, pickReceiverAddress, startReceiver } from '../../../tooling/network/https-receiver.ts'

export const agentDomain = 'agents.example.test'
export const otherDomain = 'others.example.test'
export const directoryPath = '/.well-known/http-message-signatures-directory'
const type = 'application/http-message-signatures-directory+json'

export type AgentKey = ReturnType<typeof newAgentKey>
export type DirectoryServer = Awaited<ReturnType<typeof startDirectoryServer>>

export function newAgentKey() {
  const { privateKey, x } = keysFromSeed(randomBytes(32))
  const keyId = thumbprintOfJwk(x)
  return { privateKey, keyId, jwk: { kty: 'OKP', crv: 'Ed25519', kid: keyId, x, use: 'sig' } }
}

/** A server of two domains that publishes keys, or answers as a test says. */
export async function startDirectoryServer() {
  const address = pickReceiverAddress()
  const { ca, key, cert } = makeCertificates([agentDomain, otherDomain])
  const state: { listener: RequestListener } = { listener: (_request, response) => response.writeHead(404).end() }
  const server = await startReceiver({ address, key, cert }, (request, response) => state.listener(request, response))
  const answer = (listener: RequestListener) => {
    state.listener = listener
  }
  return {
    receivers: {
      zone: { [agentDomain]: { a: [address] }, [otherDomain]: { a: [address] } },
      certificateAuthorities: ca,
    },
    requests: server.requests,
    answer,
    publish: (...keys: AgentKey[]) =>
      answer((request, response) =>
        request.url === directoryPath
          ? response.writeHead(200, { 'content-type': type }).end(JSON.stringify({ keys: keys.map(({ jwk }) => jwk) }))
          : response.writeHead(404).end(),
      ),
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  }
}

type Request = { method: string; url: string; body?: string; at: Date; domain?: string; nonce?: string }

/** The headers of a request that an agent signs, made by a library. */
export function signAsAgent(key: AgentKey, { method, url, body, at, domain = agentDomain, nonce }: Request) {
  const created = Math.floor(at.getTime() / 1_000)
  const headers: Record<string, string> = { 'signature-agent': `sig1="https://${domain}${directoryPath}"` }
  if (body !== undefined) headers['content-digest'] = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`
  const fields = Object.entries(headers).map(([name, value]) => ({ name, value }))
  const made = createSignatureSync(
    { kind: 'request', method, targetUri: url, fields },
    {
      label: 'sig1',
      components: [
        ...['@method', '@authority', '@path', ...(body === undefined ? [] : ['content-digest'])],
        component('signature-agent', { key: 'sig1' }),
      ],
      parameters: {
        ...{ created, expires: created + 60, keyid: key.keyId, alg: 'ed25519' },
        nonce: nonce ?? randomBytes(16).toString('base64'),
        tag: 'web-bot-auth',
      },
      signer: { algorithm: 'ed25519', sign: (data) => signEd25519(key.privateKey, Buffer.from(data)) },
    },
  )
  return { ...headers, 'signature-input': made.signatureInput, signature: made.signature }
}
