import assert from 'node:assert/strict'
import type { KeyObject } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type GatewayProblem, renderProblems } from './problems.ts'
import { hostName, hostsOf, listenLines, policies, renderSite, type Shared, type SiteServer } from './site.ts'
import { lines, quote, quotePlain, render, renderPart } from './template.ts'

export type Gateway = {
  sites: SiteServer[]
  ownerPage: { baseUrl: string; listen: readonly string[]; upstreamPort: number }
  desk: { baseUrl: string; listen: readonly string[]; upstreamPort: number }
  /** Receives requests for unknown host names. Needed only if the sites share an address. */
  strangers?: { listen: readonly string[] }
  apiPorts: readonly number[]
  requestsPerSecond: number
  burst: number
  /** The responses that nginx generates itself. One for each of `gatewayCodes`. */
  problems: readonly GatewayProblem[]
  workers: { processes: number | 'auto'; connections: number; user?: string }
  tls?: { certificate: string; key: string }
  /** The addresses or ranges of proxies that are trusted to report the caller's address. */
  trustedProxies?: readonly string[]
  /** nginx sends it with each request to the API, and nowhere else. */
  secret: KeyObject
}

const brotliModule = '/usr/lib/nginx/modules/ngx_http_brotli_static_module.so'

/** Tells browsers to use only HTTPS for two years after each response. */
const strictTransport = 'add_header Strict-Transport-Security max-age=63072000 always;'

/** The nginx configuration files by name. They contain the gateway secret: write them with `writeGatewayFiles`. */
export function gatewayFiles(gateway: Gateway): Map<string, string> {
  const transport = gateway.tls ? strictTransport : ''
  const api = renderPart('api', { burst: gateway.burst, strict_transport: transport })
  return new Map([
    [
      'nginx.conf',
      renderGateway(gateway, { api, strictTransport: transport, hasStrangers: gateway.strangers !== undefined }),
    ],
    ['problems.conf', renderProblems(gateway.problems, transport)],
  ])
}

function renderGateway(gateway: Gateway, shared: Shared): string {
  const { sites, workers, tls } = gateway
  const [first] = sites
  assert(first, 'A gateway needs at least one site.')
  const hasBrotli = existsSync(brotliModule)
  return render('nginx.conf', {
    ...policies,
    load_modules: hasBrotli ? `load_module ${brotliModule};` : '',
    brotli_static: hasBrotli ? 'brotli_static on;' : '',
    user: workers.user ? `user ${quote(workers.user)};` : '',
    worker_processes: workers.processes,
    worker_connections: workers.connections,
    tls: tls ? render('tls.part', { certificate: quote(tls.certificate), key: quote(tls.key) }) : '',
    trusted_proxies: renderTrustedProxies(gateway.trustedProxies ?? []),
    requests_per_second: gateway.requestsPerSecond,
    default_base: quote(first.baseUrl),
    problem_bases: lines(sites, ({ baseUrl }) => byHost(baseUrl, baseUrl)),
    upstream_hosts: lines([...sites, gateway.ownerPage, gateway.desk], ({ baseUrl }) =>
      byHost(baseUrl, new URL(baseUrl).host),
    ),
    accepted_types: lines(acceptPatterns, (pattern) => `${quotePlain(`~*${pattern}`)} $named_type;`),
    gateway_secret: quote(gateway.secret.export().toString()),
    api_servers: lines(gateway.apiPorts, (port) => `server 127.0.0.1:${port} max_fails=0;`),
    owner_page_upstream_port: gateway.ownerPage.upstreamPort,
    desk_upstream_port: gateway.desk.upstreamPort,
    servers: renderServers(gateway, shared),
  })
}

/** Entries of an nginx map from the Host header to a value. */
const byHost = (baseUrl: string, value: string) => lines(hostsOf(baseUrl), (host) => `${quote(host)} ${quote(value)};`)

function renderTrustedProxies(proxies: readonly string[]): string {
  if (proxies.length === 0) return ''
  const trusted = proxies.map((proxy) => `set_real_ip_from ${proxy};`)
  return [...trusted, 'real_ip_header X-Forwarded-For;', 'real_ip_recursive on;'].join('\n')
}

function renderServers({ sites, ownerPage, desk, strangers }: Gateway, shared: Shared): string {
  const { api, strictTransport: strict_transport } = shared
  return [
    ...sites.map((site) => renderSite(site, shared)),
    render('owner-page.conf', {
      ...{ api, strict_transport },
      listen: listenLines(ownerPage.listen),
      host: hostName(ownerPage.baseUrl),
    }),
    render('desk.conf', { strict_transport, listen: listenLines(desk.listen), host: hostName(desk.baseUrl) }),
    ...(strangers ? [render('strangers.conf', { api, listen: listenLines(strangers.listen) })] : []),
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
