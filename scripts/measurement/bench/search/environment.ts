import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hashApiKey, newApiKey } from '../../../../src/accounts/keys/api-key.ts'
import { gatewayProblems } from '../../../../src/bin/gateway/problems.ts'
import { kinds } from '../../../../src/kinds/index.ts'
import { connect } from '../../../../src/platform/database/database.ts'
import { startApi } from '../../../../tooling/environment/processes.ts'
import { newSecret } from '../../../../tooling/services/development.ts'
import { firstSecret, startNginx } from '../../../../tooling/services/nginx.ts'
import { quietPort } from '../../../../tooling/services/state.ts'
import { accountId } from '../../../generation/seed/batch.ts'
import { type SeededDatabase, seededDatabase } from '../../../generation/seed/seeded-database.ts'
import { profiling } from '../cpu-time.ts'

export type SearchEnvironment = Awaited<ReturnType<typeof openSearchEnvironment>>

/** Each key has free daily searches, which cover almost all real searches. */
export const keyCount = 600

/** Two API processes behind a gateway, on a database with this many posts, and many authors' keys. */
export async function openSearchEnvironment(posts: number, profile?: string) {
  await using opening = new AsyncDisposableStack()
  const database = await seededDatabase(posts)
  const ports = await Promise.all(Array.from({ length: kinds.length + 2 }, quietPort))
  const baseUrls = kinds.map((_, at) => `http://127.0.0.1:${ports[at]}`)
  const sites = kinds.map(({ name }, at) => `${name}=${baseUrls[at]}`).join(' ')
  const secret = newSecret()
  const settings = { LOG_LEVEL: 'silent', SITES: sites, GATEWAY_SECRET: secret, ...profiling(profile) } as const
  const own = { ...database, [Symbol.asyncDispose]: async () => {} }
  const apis = [opening.use(await startApi(own, settings)), opening.use(await startApi(own, settings))]
  const apiPorts = apis.map(({ port }) => port)
  await openGateway(opening, { ports, baseUrls, apiPorts, secret })
  const baseUrl = String(baseUrls[0])
  const customer = { apiKeys: await giveSeededKeys(database, keyCount) }
  const stack = opening.move()
  return {
    ...{ database, baseUrl, customer, port: Number(ports[0]), apiPids: apis.map(({ pid }) => pid) },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

type Place = { ports: number[]; baseUrls: string[]; apiPorts: number[]; secret: string }

async function openGateway(stack: AsyncDisposableStack, { ports, baseUrls, apiPorts, secret }: Place): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'broadside-bench-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  // The gateway runs as its own user and needs access to the folder.
  await chmod(folder, 0o755)
  const [ownerPage, desk] = ports.slice(kinds.length)
  const gateway = await startNginx({
    directory: join(folder, 'nginx'),
    sites: kinds.map(({ site }, at) => ({
      ...{ name: site.slug, port: Number(ports[at]), baseUrl: String(baseUrls[at]), root: join(folder, site.slug) },
    })),
    ownerPage: { port: Number(ownerPage), baseUrl: `http://127.0.0.1:${ownerPage}`, upstreamPort: 1 },
    desk: { port: Number(desk), baseUrl: `http://127.0.0.1:${desk}`, upstreamPort: 1 },
    apiPorts,
    secret: firstSecret(secret),
    // This measures search, not the rate limit in front of it.
    requestsPerSecond: 100_000,
    burst: 1_000,
    problems: gatewayProblems,
    detached: false,
  })
  stack.defer(gateway.stop)
}

/** Known keys for this many seeded authors. */
export async function giveSeededKeys({ urls }: Pick<SeededDatabase, 'urls'>, count: number): Promise<string[]> {
  await using owner = connect(urls.migrator, { poolMax: 1, applicationName: 'bench setup', statementTimeoutMs: 0 })
  const ids = Array.from({ length: count }, (_, number) => accountId(number).replace('acct_', 'key_'))
  const apiKeys = ids.map(() => newApiKey())
  await owner.pool.query(
    `update api_keys set hash = given.hash, last_used_at = $3 from unnest($1::text[], $2::bytea[]) as given (id, hash)
     where api_keys.id = given.id`,
    [ids, apiKeys.map(hashApiKey), new Date()],
  )
  return apiKeys
}
