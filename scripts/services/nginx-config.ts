import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoDir } from './state.ts'

export interface GatewayOptions {
  /** The working folder of this nginx: its configuration, its log and its temporary files. */
  directory: string
  /** `root` holds the site's static files and must be readable for www-data when the caller is root. */
  sites: { name: string; port: number; baseUrl: string; root: string }[]
  ownerPage: { port: number; baseUrl: string; upstreamPort: number }
  desk: { port: number }
  apiPorts: number[]
  requestsPerSecond: number
  burst: number
  /** The answers that nginx makes itself. One for each of `gatewayCodes`. */
  problems: GatewayProblem[]
  /** Outlive the caller, or end with it. */
  detached: boolean
}

export interface GatewayProblem {
  code: string
  status: number
  /** May hold the nginx variables $problem_base and $request_id. */
  json: string
  headers?: Record<string, string>
}

/** The codes that deploy/nginx/nginx.conf.template sends callers to. */
export const gatewayCodes = [
  'malformed_request',
  'not_found',
  'method_not_allowed',
  'body_too_large',
  'platform_busy',
  'unavailable',
] as const

const brotliModule = '/usr/lib/nginx/modules/ngx_http_brotli_static_module.so'

/** The text of nginx.conf for these options. */
export function renderGateway(options: GatewayOptions): string {
  const { sites, burst } = options
  const [first] = sites
  assert(first, 'A gateway needs at least one site.')
  const hasBrotli = existsSync(brotliModule)
  const hostOf = (baseUrl: string) => quote(new URL(baseUrl).host)
  const siteServer = ({ name, port, root }: GatewayOptions['sites'][number]) =>
    render('site.conf.template', { name: quote(name), port, root: quote(root), burst })
  return render('nginx.conf.template', {
    load_modules: hasBrotli ? `load_module ${brotliModule};` : '',
    brotli_static: hasBrotli ? 'brotli_static on;' : '',
    requests_per_second: options.requestsPerSecond,
    burst,
    site_names: lines(sites, ({ baseUrl, name }) => `    ${hostOf(baseUrl)} ${quote(name)};`),
    default_base: quote(first.baseUrl),
    problem_bases: lines(sites, ({ baseUrl }) => `    ${hostOf(baseUrl)} ${quote(baseUrl)};`),
    api_servers: lines(options.apiPorts, (port) => `    server 127.0.0.1:${port} max_fails=0;`),
    site_servers: lines(sites, siteServer),
    owner_page_port: options.ownerPage.port,
    owner_page_upstream_port: options.ownerPage.upstreamPort,
    desk_port: options.desk.port,
  })
}

/** The text of problems.conf: one internal location for each problem. */
export function renderProblems(problems: GatewayProblem[]): string {
  const missing = gatewayCodes.filter((code) => !problems.some((problem) => problem.code === code))
  assert(missing.length === 0, `The gateway has no document for ${missing.join(', ')}.`)
  return lines(problems, (problem) => {
    const headers = new Headers({ ...standingHeaders[problem.code], ...commonHeaders })
    for (const [name, value] of Object.entries(problem.headers ?? {})) headers.set(name, value)
    return [
      `location = /_gateway/${problem.code} {`,
      '  internal;',
      // A refused body would be measured, and refused, once more.
      '  client_max_body_size 0;',
      '  default_type application/problem+json;',
      ...[...headers].map(([name, value]) => `  add_header ${name} ${quote(value)} always;`),
      `  return ${problem.status} ${quote(problem.json)};`,
      '}',
    ].join('\n')
  })
}

const commonHeaders = {
  'access-control-allow-origin': '*',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

const standingHeaders: Record<string, Record<string, string>> = {
  method_not_allowed: { allow: '$allowed_methods' },
  unavailable: { 'retry-after': '5' },
  platform_busy: { 'retry-after': '1' },
}

/** Fills the {{placeholders}} of a template in deploy/nginx. A name that only one side knows is an error. */
function render(file: string, values: Record<string, string | number>): string {
  const unused = new Set(Object.keys(values))
  const text = readFileSync(join(repoDir, 'deploy/nginx', file), 'utf8').replaceAll(/\{\{(\w+)\}\}/g, (_, name) => {
    assert(name in values, `${file} asks for {{${name}}}, which has no value.`)
    unused.delete(name)
    return String(values[name])
  })
  assert(unused.size === 0, `${file} does not use ${[...unused].join(', ')}.`)
  return text
}

const lines = <T>(items: T[], render: (item: T) => string) => items.map(render).join('\n')

const knownVariables = /\$(problem_base|request_id|allowed_methods)\b/g

/** A string of nginx's language. It has no way to write a plain dollar sign, and 4096 bytes are its limit. */
function quote(text: string): string {
  assert(!text.replaceAll(knownVariables, '').includes('$'), `nginx would read a variable in: ${text}`)
  const quoted = `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  assert(Buffer.byteLength(quoted) < 4_000, `Too long for nginx: ${text}`)
  return quoted
}
