import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { chmod, mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Entrance, entrancesOf, renderListen, renderStream, socketPath } from './entrances.ts'
import type { Gateway } from './gateway.ts'
import {
  apiValues,
  cardValues,
  deskValues,
  limitValues,
  ownerPageValues,
  pageRetrySeconds,
  siteValues,
} from './limit-values.ts'
import { gatewayPages } from './pages.ts'
import { errorPagesFolder, renderProblems } from './problems.ts'
import { hostName, hostsOf, policies, renderSite, type Shared } from './site.ts'
import { lines, quote, quotePlain, render, renderPart } from './template.ts'
import { apiUpstream, renderCeiling } from './upstreams/ceiling.ts'
import { renderStore, renderStoreRequests, storeParts } from './upstreams/object-store.ts'
import { renderServerLines } from './upstreams/servers.ts'

/** Debian has it as a package of its own; elsewhere it is a part of nginx. */
const streamModule = '/usr/lib/nginx/modules/ngx_stream_module.so'

/** Tells browsers to use only HTTPS for two years after each response. */
const strictTransport = 'add_header Strict-Transport-Security max-age=63072000 always;'

/**
 * The nginx configuration files and the error pages, by name. The configuration contains the gateway secret: write them
 * with `writeGatewayFiles`.
 */
export function gatewayFiles(gateway: Gateway): Map<string, string> {
  const transport = gateway.tls ? strictTransport : ''
  const pages = gatewayPages(pageRetrySeconds(gateway.limits))
  return new Map([
    ['nginx.conf', renderGateway(gateway, transport)],
    ['problems.conf', renderProblems(gateway, pages, transport)],
    ...(gateway.store ? [['store.conf', renderStoreRequests(gateway.store)] as const] : []),
    ...[...gateway.errorPages].map(([path, page]) => [`${errorPagesFolder}/${path}`, page] as const),
  ])
}

function renderGateway(gateway: Gateway, transport: string): string {
  const { sites, workers, tls, elsewhere = {} } = gateway
  const [first] = sites
  assert(first, 'A gateway needs at least one site.')
  return render('nginx.conf', {
    ...policies,
    ...limitValues(gateway.limits),
    load_modules: existsSync(streamModule) ? `load_module ${streamModule};` : '',
    stream: renderStream(gateway),
    access_log: gateway.accessLog
      ? renderPart('access-log', { file: quotePlain(gateway.accessLog) })
      : 'access_log off;',
    client_network: renderPart('client-network'),
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
    api_servers: serverLines(elsewhere.api, gateway.apiPorts, 64),
    owner_page_servers: serverLines(elsewhere.ownerPage, [gateway.ownerPage.upstreamPort], 16),
    desk_servers: serverLines(elsewhere.desk, [gateway.desk.upstreamPort], 16),
    read_timeout: gateway.ceiling || elsewhere.api ? 6 : 65,
    cards: renderPart('cards', {
      ...cardValues(gateway.limits),
      servers: serverLines(elsewhere.cards, [gateway.cardsPort], 16),
      socket: socketPath(gateway, 'cards'),
    }),
    store: gateway.store ? renderStore(gateway.store) : '',
    missing_folder: storeParts(gateway.store).folder,
    ceiling: gateway.ceiling
      ? renderCeiling({
          ...{ ...gateway.ceiling, requestsPerSecond: gateway.requestsPerSecond, burst: gateway.burst },
          secrets: gateway.acceptedSecrets ?? [gateway.secret],
        })
      : '',
    servers: entrancesOf(gateway)
      .map((entrance) => renderServers(gateway, { entrance, transport }))
      .join('\n'),
  })
}

const serverLines = (hosts: readonly string[] | undefined, ports: readonly number[], keepalive: number) =>
  renderServerLines(hosts ? { hosts } : { ports }, keepalive)

/** Entries of an nginx map from the Host header to a value. */
const byHost = (baseUrl: string, value: string) => lines(hostsOf(baseUrl), (host) => `${quote(host)} ${quote(value)};`)

type Served = { entrance: Entrance; transport: string }

/** The servers of all hosts, once for each entrance. */
function renderServers(gateway: Gateway, { entrance, transport: strict_transport }: Served): string {
  const { sites, ownerPage, desk, strangers, limits } = gateway
  const api = renderPart('api', {
    ...{ ...apiValues(limits), ...apiUpstream(gateway.ceiling), burst: gateway.burst, strict_transport },
  })
  const listenLines = (listen: readonly string[], isDefault = !strangers) =>
    renderListen(gateway, { entrance, listen, isDefault })
  const shared: Shared = {
    ...{ api, listenLines, limits: siteValues(limits), store: storeParts(gateway.store).site },
    cardSeconds: limits.cardSeconds,
    strictTransport: strict_transport,
    hasStrangers: strangers !== undefined,
    origins: [...sites, ownerPage].map(({ baseUrl }) => new URL(baseUrl).origin),
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
 * Writes the nginx configuration files and the error pages. Only the current user can read the configuration, because it
 * contains the gateway secret. Each file is replaced atomically, so that a concurrent reload reads either the old or the
 * new file.
 */
export async function writeGatewayFiles(directory: string, files: ReadonlyMap<string, string>): Promise<void> {
  await mkdir(join(directory, 'tmp'), { recursive: true })
  for (const [name, text] of files)
    if (name.startsWith(`${errorPagesFolder}/`)) {
      await mkdir(join(directory, dirname(name)), { recursive: true })
      await replaceFile(join(directory, name), text, 0o644)
      await replaceFile(join(directory, `${name}.gz`), gzipSync(text), 0o644)
    } else await replaceFile(join(directory, name), text, 0o600)
}

async function replaceFile(file: string, content: string | Buffer, mode: number): Promise<void> {
  const draft = `${file}.new`
  // A leftover draft keeps its mode, so the mode is set before anything is written to it.
  await writeFile(draft, '', { mode: 0o600 })
  await chmod(draft, mode)
  await writeFile(draft, content)
  await rename(draft, file)
}
