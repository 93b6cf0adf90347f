import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { chmod, mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Entrance, entrancesOf, renderListen, renderStream } from './entrances.ts'
import type { Gateway } from './gateway.ts'
import { apiValues, deskValues, limitValues, ownerPageValues, pageRetrySeconds, siteValues } from './limit-values.ts'
import { gatewayPages } from './pages.ts'
import { renderProblems } from './problems.ts'
import { hostName, hostsOf, policies, renderSite, type Shared } from './site.ts'
import { lines, quote, quotePlain, render, renderPart } from './template.ts'

/** Debian has it as a package of its own; elsewhere it is a part of nginx. */
const streamModule = '/usr/lib/nginx/modules/ngx_stream_module.so'
const brotliModule = '/usr/lib/nginx/modules/ngx_http_brotli_static_module.so'

/** Tells browsers to use only HTTPS for two years after each response. */
const strictTransport = 'add_header Strict-Transport-Security max-age=63072000 always;'

/** The nginx configuration files by name. They contain the gateway secret: write them with `writeGatewayFiles`. */
export function gatewayFiles(gateway: Gateway): Map<string, string> {
  const transport = gateway.tls ? strictTransport : ''
  const pages = gatewayPages(pageRetrySeconds(gateway.limits))
  return new Map([
    ['nginx.conf', renderGateway(gateway, transport)],
    ['problems.conf', renderProblems({ problems: gateway.problems, pages }, transport)],
  ])
}

function renderGateway(gateway: Gateway, transport: string): string {
  const { sites, workers, tls, elsewhere = {} } = gateway
  const [first] = sites
  assert(first, 'A gateway needs at least one site.')
  const hasBrotli = existsSync(brotliModule)
  return render('nginx.conf', {
    ...policies,
    ...limitValues(gateway.limits),
    load_modules: lines([streamModule, brotliModule].filter(existsSync), (module) => `load_module ${module};`),
    stream: renderStream(gateway),
    access_log: gateway.accessLog
      ? renderPart('access-log', { file: quotePlain(gateway.accessLog) })
      : 'access_log off;',
    client_network: renderPart('client-network'),
    brotli_static: hasBrotli ? 'brotli_static on;' : '',
    user: workers.user ? `user ${quote(workers.user)};` : '',
    worker_processes: workers.processes,
    worker_connections: workers.connections,
    tls: tls ? render('tls.part', { certificate: quote(tls.certificate), key: quote(tls.key) }) : '',
    real_ip_from: lines(gateway.trustedProxies ?? [], (proxy) => `set_real_ip_from ${proxy};`),
    requests_per_second: gateway.requestsPerSecond,
    default_base: quote(first.baseUrl),
    problem_bases: lines(sites, ({ baseUrl }) => byHost(baseUrl, baseUrl)),
    upstream_hosts: lines([...sites, gateway.ownerPage, gateway.desk], ({ baseUrl }) =>
      byHost(baseUrl, new URL(baseUrl).host),
    ),
    accepted_types: lines(acceptPatterns, (pattern) => `${quotePlain(`~*${pattern}`)} $named_type;`),
    gateway_secret: quote(gateway.secret.export().toString()),
    api_servers: lines(
      elsewhere.api ?? gateway.apiPorts.map(onThisMachine),
      (server) => `server ${server} max_fails=0;`,
    ),
    owner_page_server: elsewhere.ownerPage ?? onThisMachine(gateway.ownerPage.upstreamPort),
    desk_server: elsewhere.desk ?? onThisMachine(gateway.desk.upstreamPort),
    servers: entrancesOf(gateway)
      .map((entrance) => renderServers(gateway, { entrance, transport }))
      .join('\n'),
  })
}

const onThisMachine = (port: number) => `127.0.0.1:${port}`

/** Entries of an nginx map from the Host header to a value. */
const byHost = (baseUrl: string, value: string) => lines(hostsOf(baseUrl), (host) => `${quote(host)} ${quote(value)};`)

type Served = { entrance: Entrance; transport: string }

/** The servers of all hosts, once for each entrance. */
function renderServers(gateway: Gateway, { entrance, transport: strict_transport }: Served): string {
  const { sites, ownerPage, desk, strangers, limits } = gateway
  const api = renderPart('api', { ...apiValues(limits), burst: gateway.burst, strict_transport })
  const listenLines = (listen: readonly string[], isDefault = !strangers) =>
    renderListen(gateway, { entrance, listen, isDefault })
  const shared: Shared = {
    ...{ api, listenLines, limits: siteValues(limits) },
    strictTransport: strict_transport,
    hasStrangers: strangers !== undefined,
    cdn: gateway.cdn,
  }
  return [
    ...sites.map((site) => renderSite(site, shared)),
    render('owner-page.conf', {
      ...ownerPageValues(limits),
      ...{ api, strict_transport },
      listen: listenLines(ownerPage.listen),
      host: hostName(ownerPage.baseUrl),
    }),
    render('desk.conf', {
      ...deskValues(limits),
      strict_transport,
      listen: listenLines(desk.listen),
      host: hostName(desk.baseUrl),
    }),
    ...(strangers ? [render('strangers.conf', { api, listen: listenLines(strangers.listen, true) })] : []),
  ].join('\n')
}

/** The formats of a page. A browser gets the first. */
const types = ['text/html', 'application/xhtml\\+xml', 'application/json', 'text/markdown'].join('|')

/** `q` at the end of the range, with its digits. Other parameters may precede it. */
const weighing = (digits: string) => `;\\s*+q=${digits}\\s*+(?:[,;]|$)`

/**
 * Patterns for a whole Accept header, tried in this order: the first match captures in `named_type` the type with the
 * highest weight, and among those the first one. Only the first decimal of a weight counts; 0 excludes a type.
 * Possessive repetitions (`*+`) never backtrack: the time is linear in the header's length, not quadratic.
 */
export const acceptPatterns: readonly string[] = [
  `(?:,|$)|${weighing('1(?:\\.0*+)?')}`,
  ...[9, 8, 7, 6, 5, 4, 3, 2, 1].map((tenths) => weighing(`0?\\.${tenths}\\d*+`)),
  weighing('0?\\.00*+[1-9]\\d*+'),
].map((weight) => `(?:^|,)\\s*+(?<named_type>${types})\\s*+(?:;(?!\\s*+q=)[^;,]*+)*+(?:${weight})`)

/**
 * Writes the nginx configuration files. Only the current user can read them, because they contain the gateway secret.
 * Each file is replaced atomically, so that a concurrent reload reads either the old or the new file.
 */
export async function writeGatewayFiles(directory: string, files: ReadonlyMap<string, string>): Promise<void> {
  await mkdir(join(directory, 'tmp'), { recursive: true })
  for (const [name, text] of files) {
    const draft = join(directory, `${name}.new`)
    // A leftover draft keeps its mode, so the mode is set before anything is written to it.
    await writeFile(draft, '', { mode: 0o600 })
    await chmod(draft, 0o600)
    await writeFile(draft, text)
    await rename(draft, join(directory, name))
  }
}
