import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { acceptPatterns } from './accept.ts'
import { type GatewayProblem, renderProblems } from './problems.ts'
import { lines, quote, quotePlain, render } from './template.ts'

export type Gateway = {
  sites: SiteServer[]
  ownerPage: { baseUrl: string; listen: readonly string[]; upstreamPort: number }
  desk?: { listen: readonly string[] }
  /** Where names that belong to nobody arrive, when the sites share an address. */
  strangers?: { listen: readonly string[] }
  apiPorts: readonly number[]
  requestsPerSecond: number
  burst: number
  /** The answers that nginx makes itself. One for each of `gatewayCodes`. */
  problems: readonly GatewayProblem[]
  workers: { processes: number | 'auto'; connections: number; user?: string }
  tls?: { certificate: string; key: string }
  /** Proxies whose word about the caller's address is taken: addresses or ranges of them. */
  trustedProxies?: readonly string[]
}

/** `listen` has what nginx calls so: `127.0.0.1:4001 default_server`. `root` holds the site's static files. */
export type SiteServer = { name: string; baseUrl: string; root: string; listen: readonly string[] }

const brotliModule = '/usr/lib/nginx/modules/ngx_http_brotli_static_module.so'

/** Two years of HTTPS only, from every answer on. */
const strictTransport = 'add_header Strict-Transport-Security max-age=63072000 always;'

/** What a page may load and tell: nothing of others, and nothing that stands in the page itself runs. */
const policies = {
  content_security_policy: quote(
    "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' data:; script-src 'self'; base-uri 'none'; " +
      "form-action 'self'; frame-ancestors 'none'",
  ),
  referrer_policy: 'strict-origin-when-cross-origin',
}

/** The files of nginx's configuration, by name, for one folder. */
export function gatewayFiles(gateway: Gateway): Map<string, string> {
  const { burst, problems } = gateway
  const transport = gateway.tls ? strictTransport : ''
  const parts = ['changing', 'policies-by-type', 'license', 'feed-types', 'server-card'].map((name) => `${name}.conf`)
  return new Map([
    ['nginx.conf', renderGateway(gateway)],
    ['problems.conf', renderProblems(problems, transport)],
    ['api.conf', render('api.conf', { burst, strict_transport: transport })],
    ['static.conf', render('static.conf', { strict_transport: transport })],
    ['page-policies.conf', render('page-policies.conf', policies)],
    ...parts.map((name) => [name, render(name, {})] as const),
  ])
}

function renderGateway(gateway: Gateway): string {
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
    tls: tls ? render('tls.conf', { certificate: quote(tls.certificate), key: quote(tls.key) }) : '',
    trusted_proxies: renderTrustedProxies(gateway.trustedProxies ?? []),
    requests_per_second: gateway.requestsPerSecond,
    site_names: lines(sites, ({ baseUrl, name }) => byHost(baseUrl, name)),
    default_base: quote(first.baseUrl),
    problem_bases: lines(sites, ({ baseUrl }) => byHost(baseUrl, baseUrl)),
    upstream_hosts: lines([...sites, gateway.ownerPage], ({ baseUrl }) => byHost(baseUrl, new URL(baseUrl).host)),
    accepted_types: lines(acceptPatterns, (pattern) => `    ${quotePlain(`~*${pattern}`)} $named_type;`),
    api_servers: lines(gateway.apiPorts, (port) => `    server 127.0.0.1:${port} max_fails=0;`),
    owner_page_upstream_port: gateway.ownerPage.upstreamPort,
    servers: renderServers(gateway),
  })
}

/** Entries of a map from Host. Some callers name the port even where it goes without saying. */
function byHost(baseUrl: string, value: string): string {
  const { host, port, protocol } = new URL(baseUrl)
  const names = port === '' ? [host, `${host}:${protocol === 'https:' ? 443 : 80}`] : [host]
  return lines(names, (name) => `    ${quote(name)} ${quote(value)};`)
}

function renderTrustedProxies(proxies: readonly string[]): string {
  if (proxies.length === 0) return ''
  const trusted = proxies.map((proxy) => `  set_real_ip_from ${proxy};`)
  return [...trusted, '  real_ip_header X-Forwarded-For;', '  real_ip_recursive on;'].join('\n')
}

function renderServers({ sites, ownerPage, desk, strangers, tls }: Gateway): string {
  return [
    ...sites.map(renderSite),
    render('owner-page.conf', {
      listen: listenLines(ownerPage),
      host: hostName(ownerPage.baseUrl),
      strict_transport: tls ? strictTransport : '',
    }),
    ...(desk ? [render('desk.conf', { listen: listenLines(desk) })] : []),
    ...(strangers ? [render('strangers.conf', { listen: listenLines(strangers) })] : []),
  ].join('\n')
}

function renderSite(site: SiteServer): string {
  const { name, baseUrl, root } = site
  const license = '<https://creativecommons.org/licenses/by/4.0/>; rel="license"'
  return render('site.conf', {
    listen: listenLines(site),
    name: quote(name),
    host: hostName(baseUrl),
    root: quote(root),
    // The letters of an identifier.
    id: '[0-9a-hjkmnp-tv-z]',
    form_link: quote(`${license}, <${baseUrl}/p/$post_id>; rel="canonical"`),
    catalog_link: quote(`<${baseUrl}/.well-known/api-catalog>; rel="api-catalog"`),
  })
}

const hostName = (baseUrl: string) => quote(new URL(baseUrl).hostname)

const listenLines = ({ listen }: { listen: readonly string[] }) => lines(listen, (where) => `    listen ${where};`)
