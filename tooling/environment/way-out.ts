import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { settings } from '../../src/platform/settings/settings.ts'
import { startDnsServer, type Zone } from '../network/dns-server.ts'
import type { OutboundSettings } from './moderation-worker.ts'

export type Receivers = { zone: Zone; certificateAuthorities?: string; refusedRanges?: string[] }

/** A name server for tests resolves the receivers' names, which can point to loopback addresses. */
export async function wayOut(
  stack: AsyncDisposableStack,
  { receivers, secretsKeys }: { receivers?: Receivers; secretsKeys?: string },
  folder: string,
) {
  const dns = stack.use(await startDnsServer(receivers?.zone ?? { 'agent.example': { a: ['127.77.0.1'] } }))
  const authorities = receivers?.certificateAuthorities && join(folder, 'authorities.pem')
  if (authorities) await writeFile(authorities, receivers?.certificateAuthorities ?? '')
  const outboundSettings: OutboundSettings = {
    SECRETS_KEYS: settings.SECRETS_KEYS.parse(secretsKeys ?? newSecretsKey('test')),
    OUTBOUND_REFUSED_RANGES: receivers?.refusedRanges,
    OUTBOUND_DNS_SERVERS: [dns.server],
    OUTBOUND_CERTIFICATE_AUTHORITIES: authorities || undefined,
    OUTBOUND_TEST_RANGES: ['127.77.0.0/16', '203.0.113.0/24'],
  }
  return { outboundSettings, dns }
}

export const newSecretsKey = (name: string) => `${name}:${randomBytes(32).toString('base64')}`
