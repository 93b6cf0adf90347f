import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Kind } from '../../src/kinds/index.ts'
import { testOperator } from '../fixtures/operator.ts'
import { quietModel } from '../models/stub-models.ts'
import { startDnsServer } from '../network/dns-server.ts'
import type { OwnDatabase } from '../services/databases.ts'
import { newSecret } from '../services/development.ts'
import { quietPort } from '../services/state.ts'
import { settingsFor } from './processes.ts'
import type { ServiceOptions } from './service-options.ts'

type Place = { database: OwnDatabase; kinds: readonly Kind[]; ports: GatewayPorts; folder: string; dnsServer: string }

/** The settings of a service behind its own gateway, as its processes read them. */
export async function serviceSettings(options: ServiceOptions, { database, kinds, ports, folder, dnsServer }: Place) {
  const { receivers, local = quietModel } = options
  const authorities = receivers?.certificateAuthorities && join(folder, 'authorities.pem')
  if (authorities) await writeFile(authorities, receivers?.certificateAuthorities ?? '')
  return settingsFor(database, {
    SITES: kinds.map(({ name }, index) => `${name}=http://localhost:${ports.sites[index]}`).join(' '),
    ACCOUNT_PAGE_URL: `http://localhost:${ports.ownerPage}`,
    DESK_URL: `http://localhost:${ports.desk}`,
    PAGES_DIRECTORY: join(folder, 'www'),
    ERASURE_LOG: '',
    ACCOUNTS_PER_ADDRESS_PER_DAY: String(options.accountsPerAddress ?? 0),
    OPERATOR_NAME: testOperator.name,
    CONTACT_EMAIL: testOperator.email,
    PAYMENTS_DRIVER: 'manual',
    PAYMENTS_INSTRUCTIONS: 'Send the money by post.',
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_BOUNCE_ADDRESS: 'bounces@localhost',
    MODEL_DRIVER: 'always-on',
    MODEL_NAME: local.name,
    MODEL_TIMEOUT_SECONDS: '60',
    POST_SIGNING_KEYS: testKey('posts'),
    LOG_SIGNING_KEY: testKey('log'),
    OUTBOUND_REFUSED_RANGES: receivers?.refusedRanges?.join(' ') ?? '',
    OUTBOUND_DNS_SERVERS: dnsServer,
    OUTBOUND_CERTIFICATE_AUTHORITIES: authorities ?? '',
    OUTBOUND_TEST_RANGES: '127.77.0.0/16 203.0.113.0/24',
    ...options.settings,
  })
}

/** The same in all workers of a test: a second worker continues the log of the first. */
const testKey = (name: string) => `${name}:${createHash('sha256').update(name).digest('base64')}`

export const newSecretsKey = (name: string) => `${name}:${newSecret()}`

/** Resolves the receivers' names, which can point to loopback addresses. */
export const startReceiversDns = ({ receivers }: ServiceOptions) =>
  startDnsServer(receivers?.zone ?? { 'agent.example': { a: ['127.77.0.1'] } })

type GatewayPorts = { ownerPage: number; desk: number; sites: number[] }

/** Distinct free ports. Two separate requests for a port could return the same one. */
export async function portsForGateway(kinds: readonly Kind[]): Promise<GatewayPorts> {
  const ports = new Set<number>()
  while (ports.size < kinds.length + 2) ports.add(await quietPort())
  const [ownerPage, desk, ...sites] = ports
  return { ownerPage: Number(ownerPage), desk: Number(desk), sites }
}
