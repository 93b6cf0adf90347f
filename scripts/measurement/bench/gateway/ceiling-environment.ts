import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gatewayFiles } from '../../../../src/bin/gateway/configuration.ts'
import { usualLimits } from '../../../../src/bin/gateway/limit-values.ts'
import { gatewayProblems } from '../../../../src/bin/gateway/problems.ts'
import type { SharedCeiling } from '../../../../src/bin/gateway/upstreams/ceiling.ts'
import { ceilings, platformBurst } from '../../../../src/contract/limits.ts'
import { kinds } from '../../../../src/kinds/index.ts'
import { startApi } from '../../../../tooling/environment/processes.ts'
import { migratedDatabase } from '../../../../tooling/services/databases.ts'
import { newSecret } from '../../../../tooling/services/development.ts'
import { firstSecret, runNginx } from '../../../../tooling/services/nginx.ts'
import { quietPort } from '../../../../tooling/services/state.ts'
import { writePages } from './static.ts'

/** Callers reach the same gateway through either address, or each of two gateways through its own. */
export const addresses = ['127.0.0.1', '127.0.0.2'] as const

const apiProcesses = 2

/** The real rate limit in front of two real API processes, and pages of the four sites. */
export async function openEnvironment(stack: AsyncDisposableStack, gateways: 1 | 2 = 1) {
  const folder = await mkdtemp(join(tmpdir(), 'broadside-bench-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  // The gateway runs as its own user and needs access to the folder.
  await chmod(folder, 0o755)
  const port = await quietPort()
  const sites = kinds.map(({ name, site }) => ({
    name,
    slug: site.slug,
    host: `${site.slug}.localhost:${port}`,
    root: join(folder, 'www', site.slug),
  }))
  for (const { root } of sites) await writePages(root)
  const database = stack.use(await migratedDatabase('bench'))
  const secret = newSecret()
  const settings = {
    LOG_LEVEL: 'warn',
    GATEWAY_SECRET: secret,
    SITES: sites.map(({ name, host }) => `${name}=http://${host}`).join(' '),
  }
  const apis = await Promise.all(Array.from({ length: apiProcesses }, () => startApi(database, settings)))
  for (const api of apis) stack.use(api)
  const api = { apiPorts: apis.map((process) => process.port), secret }
  const counting = gateways === 1 ? [] : [`127.0.0.1:${await quietPort()}`, `127.0.0.1:${await quietPort()}`]
  for (let index = 0; index < gateways; index++) {
    const directory = join(folder, `gateway-${index}`)
    const own = gateways === 1 ? addresses : addresses.slice(index, index + 1)
    const listen = own.map((address) => `${address}:${port}`)
    const counter = counting[index]
    const ceiling = counter ? { ceiling: { listen: counter, servers: counting } } : {}
    const gateway = await runNginx({
      ...{ directory, files: configuration({ directory, listen, sites }, { ...api, ...ceiling }) },
      ...{ ports: index === 0 ? [port] : [], detached: false },
    })
    stack.defer(gateway.stop)
  }
  return { port, hosts: sites.map(({ host }) => host), apiPids: apis.map(({ pid }) => pid) }
}

type Site = { slug: string; host: string; root: string }

type Place = { directory: string; listen: readonly string[]; sites: readonly Site[] }
type Behind = { apiPorts: number[]; secret: string; ceiling?: SharedCeiling }

/** As in production, but without TLS: all hosts share the addresses and are distinguished by name. */
function configuration({ directory, listen, sites }: Place, api: Behind) {
  return gatewayFiles({
    directory,
    limits: usualLimits,
    sites: sites.map(({ slug, host, root }) => ({ name: slug, baseUrl: `http://${host}`, root, listen })),
    ownerPage: { baseUrl: 'http://account.localhost', listen, upstreamPort: 1 },
    desk: { baseUrl: 'http://desk.localhost', listen, upstreamPort: 1 },
    strangers: { listen },
    apiPorts: api.apiPorts,
    cardsPort: 1,
    requestsPerSecond: ceilings.platform.max,
    burst: platformBurst,
    problems: gatewayProblems,
    errorPages: new Map(),
    workers: { processes: 2, connections: 8_192 },
    secret: firstSecret(api.secret),
    ...(api.ceiling && { ceiling: api.ceiling }),
    // The load generator sets the client address.
    trustedProxies: ['127.0.0.0/8'],
  })
}
