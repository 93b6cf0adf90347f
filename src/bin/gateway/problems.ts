import assert from 'node:assert/strict'
import { Problem, problemDocument } from '../../contract/problems/problem.ts'
import { problems } from '../../contract/problems/problems.ts'
import { type GatewayPage, gatewayPageHeaders } from './pages.ts'
import { lines, quote, render } from './template.ts'
import { ceilingAnswers, type SharedCeiling } from './upstreams/ceiling.ts'
import { type ObjectStorePages, storeParts } from './upstreams/object-store.ts'

export type GatewayProblem = {
  code: string
  status: number
  /** May contain the nginx variables $problem_base and $request_id. */
  json: string
  headers?: Record<string, string>
}

/** The codes that the templates in deploy/nginx refer to. */
export const gatewayCodes = [
  'malformed_request',
  'not_found',
  'post_not_found',
  'post_gone',
  'author_gone',
  'method_not_allowed',
  'body_too_large',
  'platform_busy',
  'unavailable',
] as const

/**
 * The responses that nginx generates itself, with texts from the problem catalog. nginx fills in the site and the
 * request id.
 */
export const gatewayProblems: readonly GatewayProblem[] = gatewayCodes.map((code) => {
  const problem = new Problem(code, problems[code].meaning)
  const document = problemDocument(problem, { baseUrl: '$problem_base', requestId: '$request_id' })
  return { code, status: problem.status, json: JSON.stringify(document) }
})

type OwnPages = Readonly<Record<string, GatewayPage>>
type Answering = { problems: readonly GatewayProblem[]; store?: ObjectStorePages; ceiling?: SharedCeiling }

/** The text of problems.conf: an internal location for each problem, for its HTML page if it has one, and each page. */
export function renderProblems(gateway: Answering, own: OwnPages, strictTransport: string): string {
  const documents = gateway.problems
  const missing = gatewayCodes.filter((code) => !documents.some((problem) => problem.code === code))
  assert(missing.length === 0, `The gateway has no document for ${missing.join(', ')}.`)
  const location = (problem: GatewayProblem) => {
    const { code } = problem
    const [page, formPage] = [pages[code], formPages[code]]
    return [
      ...documentLocation(problem, strictTransport),
      ...(page ? pageLocation(code, { name: `${code}.page`, page }, strictTransport) : []),
      ...(formPage ? pageLocation(code, { name: `${code}.form`, page: formPage }, strictTransport) : []),
    ].join('\n')
  }
  return render('problems.conf', {
    documents: lines(documents, location),
    pages: lines(Object.entries(own), ([name, page]) => ownPageLocation(name, page, strictTransport)),
    missing: storeParts(gateway.store).missing,
    ceiling: ceilingAnswers(gateway.ceiling),
    strict_transport: strictTransport,
  })
}

function documentLocation(problem: GatewayProblem, strictTransport: string): string[] {
  const headers = new Headers({ ...standingHeaders[problem.code], ...commonHeaders, ...problem.headers })
  return [
    ...startOf(problem.code),
    '  default_type application/problem+json;',
    ...headerLines(headers, strictTransport),
    `  return ${problem.status} ${quote(problem.json)};`,
    '}',
  ]
}

/** Serves one of the site's error pages with the problem's status, or the problem document where there is none. */
function pageLocation(code: string, { name, page }: { name: string; page: string }, strictTransport: string): string[] {
  return [
    ...startOf(name),
    '  etag off;',
    `  root ${errorPagesFolder}/$site;`,
    ...headerLines(new Headers({ ...standingHeaders[code], ...commonHeaders, ...varying }), strictTransport),
    // An empty value removes the header: an error page must not have a modification date.
    "  add_header last-modified '' always;",
    '  add_header content-security-policy $content_security_policy always;',
    '  add_header referrer-policy $referrer_policy always;',
    `  try_files /${page} /_gateway/${code};`,
    '}',
  ]
}

function ownPageLocation(name: string, { status, retryAfterSeconds, page }: GatewayPage, strictTransport: string) {
  const headers = new Headers(gatewayPageHeaders)
  if (retryAfterSeconds) headers.set('retry-after', String(retryAfterSeconds))
  return [
    ...startOf(name),
    "  default_type 'text/html; charset=utf-8';",
    ...headerLines(headers, strictTransport),
    `  return ${status} ${quote(page)};`,
    '}',
  ].join('\n')
}

const startOf = (name: string) => [
  `location = /_gateway/${name} {`,
  '  internal;',
  // Without this, nginx would check the body's size again and reject it a second time.
  '  client_max_body_size 0;',
]

const headerLines = (headers: Headers, strictTransport: string) => [
  ...[...headers].map(([name, value]) => `  add_header ${name} ${quote(value)} always;`),
  ...(strictTransport ? [`  ${strictTransport}`] : []),
]

/** In the gateway's own folder, so that they are there when the page store is not. */
export const errorPagesFolder = 'pages'

/** HTML pages, relative to the site's folder of error pages. */
const pages: Record<string, string> = {
  not_found: '404.html',
  post_not_found: '404.html',
  post_gone: '410.html',
  author_gone: 'author-gone.html',
  platform_busy: '429.html',
  unavailable: '503.html',
}

/** The same for the forms of a site. */
const formPages: Record<string, string> = {
  platform_busy: '429-form.html',
  unavailable: '503-form.html',
}

const commonHeaders = {
  'access-control-allow-origin': '*',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

const varying = { vary: 'Accept, Accept-Encoding' }

const standingHeaders: Record<string, Record<string, string>> = {
  method_not_allowed: { allow: '$allowed_methods' },
  not_found: { vary: 'Accept' },
  platform_busy: { 'retry-after': '1' },
  post_gone: { vary: 'Accept' },
  author_gone: { vary: 'Accept' },
  post_not_found: { vary: 'Accept' },
  unavailable: { 'retry-after': '5' },
}
