import assert from 'node:assert/strict'
import { dirname, posix } from 'node:path'
import { test } from 'node:test'
import { importsOf, read, tracked } from './support/repository.ts'

const sources = tracked.filter((path) => /^(?:src|model\/server)\/.*\.ts$/.test(path))
const program = sources.filter((path) => !path.endsWith('.test.ts'))

/**
 * The architecture. Each folder may import itself and those listed; every list is complete, so that a reader sees all
 * dependencies at a glance. API, MCP, owner page and desk never import one another; features never import one another.
 */
const data = ['kinds', 'policy', 'jobs', 'transparency-log', 'text-analysis', 'contract', 'markup', 'platform']
const below = {
  ground: ['platform'],
  pure: ['contract', 'markup', 'platform'],
  data,
  money: ['ledger', ...data],
  people: ['accounts', 'ledger', ...data],
  posts: ['posts', 'accounts', 'ledger', ...data],
}
const features = ['moderation', 'publishing', 'search', 'reports', 'relay', 'webhooks', 'drafts', 'stream']
const everythingBelowDoors = [
  'operations.ts',
  'calls',
  'oauth',
  'payments',
  'staff',
  'cases',
  ...features,
  ...below.posts,
]
/** The owner page, the desk and the sites' forms share pages, or the check of a form's origin. */
const everythingBelowPages = ['web-pages', ...everythingBelowDoors]
const mayImport: Record<string, readonly string[]> = {
  platform: [],
  markup: below.ground,
  contract: below.pure,
  'text-analysis': [],
  'transparency-log': below.pure,
  jobs: below.pure,
  policy: ['text-analysis', ...below.pure],
  kinds: below.pure,
  ledger: below.data,
  accounts: below.money,
  posts: below.people,
  ...Object.fromEntries(features.map((feature) => [feature, below.posts])),
  // Cards and payments, above the accounts they belong to.
  payments: below.people,
  calls: below.people,
  // The authorization server for apps, above the accounts that they are connected to.
  oauth: below.people,
  // The operator's staff, above the accounts, whose emails and tokens they share.
  staff: below.people,
  // Cases for reviewers: combines reviews, reports and appeals, and applies decisions.
  cases: ['moderation', 'reports', 'staff', ...below.posts],
  // What must not come back after a restore: written outside the database, and repeated from there.
  erasures: ['moderation', 'webhooks', 'drafts', 'staff', ...below.posts],
  'operations.ts': [...features, ...below.posts],
  // What has expired, deleted by the feature that stored it.
  'retention.ts': ['calls', 'oauth', 'payments', 'staff', 'cases', ...features, ...below.posts],
  'handlers.ts': [
    'erasures',
    'retention.ts',
    'calls',
    'oauth',
    'payments',
    'staff',
    'cases',
    ...features,
    ...below.posts,
  ],
  // It describes the tools and the sign-in of apps, whose tables are in these folders.
  documents: ['mcp', 'oauth', 'operations.ts', ...features, ...below.posts],
  model: ['policy', 'kinds', 'text-analysis', 'contract', 'markup', 'platform'],
  http: everythingBelowPages,
  mcp: everythingBelowDoors,
  'web-pages': below.people,
  'owner-page': everythingBelowPages,
  desk: everythingBelowPages,
  bin: ['http', 'mcp', 'owner-page', 'desk', 'model', 'documents', 'erasures', 'handlers.ts', ...everythingBelowDoors],
}

/** The folder of `src/`, or `model` for the workspace of the local model. */
const folderOf = (path: string) => (path.startsWith('model/') ? 'model' : (path.split('/')[1] ?? ''))
const imports = program.flatMap(importsOf)
const inner = imports
  .filter(({ to }) => to.startsWith('.'))
  .map((one) => ({ ...one, to: posix.join(dirname(one.from), one.to) }))
  .filter(({ to }) => /^(?:src|model)\//.test(to))

test('every folder imports only what the map allows', () => {
  const broken = inner.filter(({ from, to }) => {
    const [here, there] = [folderOf(from), folderOf(to)]
    return here !== there && !mayImport[here]?.includes(there)
  })
  assert.deepEqual(
    broken.map(({ from, to }) => `${from} → ${to}`),
    [],
  )
})

test('every folder under src is on the map', () => {
  const rooms = new Set(program.map(folderOf))
  assert.deepEqual(
    [...rooms].filter((room) => !(room in mayImport)),
    [],
  )
})

test('the acceptance checks see only what people see: they import nothing from the rest of the repository', () => {
  const theirs = tracked.filter((path) => /^acceptance\/.*\.ts$/.test(path)).flatMap(importsOf)
  assert.deepEqual(
    theirs
      .filter(({ from, to }) => to.startsWith('.') && !posix.join(dirname(from), to).startsWith('acceptance/'))
      .map(({ from, to }) => `${from} → ${to}`),
    [],
  )
})

test('the contract is pure: it imports only types from the platform, and only zod from packages', () => {
  const contract = imports.filter(({ from }) => folderOf(from) === 'contract')
  const impure = contract.filter(
    ({ to, isTypeOnly }) => !isTypeOnly && (to.includes('/platform/') || !/^(\.|zod$)/.test(to)),
  )
  assert.deepEqual(
    impure.map(({ from, to }) => `${from} → ${to}`),
    [],
  )
})

test('each external dependency is imported in one folder only', () => {
  const rooms: Record<string, RegExp> = {
    'pg-boss': /^src\/jobs\//,
    ghtml: /^src\/markup\//,
    pg: /^src\/(platform|bin)\//,
    fastify:
      /^src\/(http|web-pages|owner-page|mcp|desk)\/|^model\/server\/|^src\/platform\/(observability\/http-requests|fastify\/no-schemas)\.ts$/,
    undici: /^src\/platform\/outbound-http\//,
    '@simplewebauthn/server': /^src\/staff\/passkeys\.ts$/,
    aws4fetch: /^src\/platform\/page-store\/s3\//,
    stripe: /^src\/platform\/payments\/stripe\.ts$/,
    nodemailer: /^src\/platform\/mail\/mailer\.ts$/,
    '@modelcontextprotocol/server': /^src\/mcp\//,
    '@napi-rs/canvas': /^src\/publishing\/cards\//,
    '@orama/stemmers': /^src\/text-analysis\/languages\.ts$/,
  }
  const roomOfPart = (to: string) => rooms[/^(?:@[^/]+\/)?[^/]+/.exec(to)?.[0] ?? '']
  const strays = imports.filter(({ from, to }) => roomOfPart(to)?.test(from) === false)
  assert.deepEqual(
    strays.map(({ from, to }) => `${from} → ${to}`),
    [],
  )
})

test('every route of the owner page and the desk passes one guard', () => {
  const doors = program.filter((path) => /^src\/(web-pages|owner-page|desk)\//.test(path))
  const makesRoutes =
    /\b(?:app|server|instance|fastify)\.(?:route|register|all|get|post|put|patch|delete|head|options)\(/
  assert.deepEqual(
    doors.filter((path) => makesRoutes.test(read(path))).sort(),
    // Apps and the payment provider have no session: apps send tokens and codes, and the provider signs its webhooks.
    ['src/owner-page/connect/oauth-endpoints.ts', 'src/owner-page/payment-webhook.ts', 'src/web-pages/server.ts'],
  )
  const servers = imports.filter(({ from, to, isTypeOnly }) => doors.includes(from) && to === 'fastify' && !isTypeOnly)
  assert.deepEqual(
    servers.map(({ from }) => from),
    ['src/web-pages/server.ts'],
  )
  const handlers = [...read('src/web-pages/server.ts').matchAll(/handler: (.*)/g)].map((match) => match[1])
  assert.deepEqual(handlers, ['async (request, reply) => send(reply, await pass(server, route, request)),'])
})

/**
 * Modules that can open a connection or query a name server. PostgreSQL is reached through `pg`, which is covered
 * above.
 */
const waysOut =
  /^(?:node:)?(?:https?|http2|net|tls|dgram|dns|dns\/promises|quic|inspector)$|^(?:undici|nodemailer|stripe)$|^@opentelemetry\/exporter/
const outbound = 'src/platform/outbound-http/'

/** The other importers, and why they never connect to an address that a user chose. */
const otherWaysOut: Record<string, string> = {
  'src/http/client-address.ts → node:net': 'tells an address from a name',
  'src/bin/doctor/probes/services.ts → node:dns/promises': 'reads records of the domains of the settings',
  'src/bin/doctor/ask.ts → node:http': 'asks the processes of the settings',
  'src/bin/doctor/ask.ts → node:https': 'asks the origins and the provider of the settings',
  'src/bin/doctor/ask.ts → node:net': 'tells an address from a name',
  'src/bin/doctor/ask.ts → node:tls': 'reads the certificates of the origins of the settings',
  'src/platform/observability/health-server.ts → node:http': 'listens',
  'src/publishing/cards/serve-cards.ts → node:http': 'listens',
  'src/platform/mail/mailer.ts → node:net': 'tells an address from a name',
  'src/platform/mail/mailer.ts → nodemailer': 'speaks to the mail server of the settings',
  'src/platform/payments/stripe.ts → stripe': 'speaks to the provider of the settings',
  'src/platform/observability/telemetry.ts → @opentelemetry/exporter-prometheus': 'listens',
  'src/platform/observability/telemetry.ts → @opentelemetry/exporter-trace-otlp-http':
    'speaks to the collector of the settings',
}

test('only platform/outbound-http and the listed files import modules with network access', () => {
  const named = imports
    .filter(({ from, to, isTypeOnly }) => !isTypeOnly && !from.startsWith(outbound) && waysOut.test(to))
    .map(({ from, to }) => `${from} → ${to}`)
  assert.deepEqual(named.sort(), Object.keys(otherWaysOut).sort())
})

test('no other file uses network access that needs no import', () => {
  const global =
    /(?<![\w.])fetch\s*[(),;}\]]|=\s*fetch\b|globalThis\.fetch|\b(?:WebSocket|EventSource|XMLHttpRequest)\b/
  const hidden = /\bgetBuiltinModule\b|\bprocess\.binding\b|\bcreateRequire\b|\brequire\(|^import '/m
  const strays = program.filter((path) => {
    const text = withoutComments(read(path))
    return (!path.startsWith(outbound) && global.test(text)) || hidden.test(text)
  })
  assert.deepEqual(strays, [])
})

test('unrestricted connections are used only for addresses from the settings', () => {
  const unguarded = `${outbound}configured-service.ts`
  const within = program.filter((path) => path.startsWith(outbound) && /\bfetch\(/.test(read(path)))
  assert.deepEqual(within, [unguarded])
  const users = inner.filter(({ to }) => to === unguarded).map(({ from }) => from)
  assert.deepEqual(users.sort(), [
    'src/bin/restart/one-at-a-time.ts',
    'src/moderation/model-client/model-service.ts',
    'src/moderation/model-control/controller.ts',
    'src/moderation/model-control/drivers.ts',
    'src/platform/cdn/purge-client.ts',
  ])
  const pools = inner.filter(({ to }) => to === `${outbound}configured-origin.ts`).map(({ from }) => from)
  assert.deepEqual([...new Set(pools)].sort(), [
    'src/platform/page-store/s3/conditional-writes.ts',
    'src/platform/page-store/s3/s3-client.ts',
  ])
})

test('Invariant 7: time is passed as an argument', () => {
  const clockReaders =
    /^src\/(platform\/(clock|observability\/logger)|bin\/commands\/(operator\/clock|processes\/migrate))\.ts/
  const strays = program.filter((path) => !clockReaders.test(path) && /new Date\(\)|Date\.now\(\)/.test(read(path)))
  assert.deepEqual(strays, [], 'these read the machine’s clock')
  const statements = [...program, ...tracked.filter((path) => path.startsWith('migrations/'))]
  const sqlClock = /(?<![.\w])now\(\)|current_timestamp|clock_timestamp|current_date/i
  assert.deepEqual(
    statements.filter(
      (path) => ![queueSchema, clockGuard].includes(path) && sqlClock.test(withoutComments(read(path))),
    ),
    [],
    'these let SQL read the clock',
  )
})
/** pg-boss's own schema: retries and dead workers use the machine's time, not business time. */
const queueSchema = 'migrations/0007_jobs.sql'
/** Compares the clocks. */
const clockGuard = 'src/jobs/clock-guard.ts'

const withoutComments = (text: string) => text.replaceAll(/^\s*(\/\/|--|\*|\/\*).*$/gm, '')

test('statements of running processes name their columns, so that a new column does not break them', () => {
  const strays = program.filter(
    (path) => !path.startsWith('src/bin/') && /\.(selectAll|returningAll)\(/.test(read(path)),
  )
  assert.deepEqual(strays, [])
})

test('files are small', () => {
  const long = tracked
    .filter(
      (path) =>
        /^(src|scripts|test|tooling|model|examples|clients\/typescript\/src)\/.*\.ts$|^clients\/python\/.*\.py$/.test(
          path,
        ) && !path.includes('generated'),
    )
    .filter((path) => read(path).split('\n').length > 301)
  assert.deepEqual(long, [])
})

test('names are meaningful', () => {
  assert.deepEqual(
    tracked.filter((path) => /(^|\/)(utils?|helpers?|common|misc|lib|shared)(\/|\.ts$)/.test(path)),
    [],
  )
})

test('every TODO names its issue', () => {
  const loose = tracked
    .filter((path) => /\.(ts|sql|md|template)$/.test(path) && path !== 'test/tidy.test.ts')
    .filter((path) => /\b(TODO|FIXME|XXX)\b(?!\(#(\d+|…)\))/.test(read(path).replaceAll(/`[^`\n]*`/g, '')))
  assert.deepEqual(loose, [])
})

test('no test is skipped or exclusive', () => {
  const tests = tracked.filter((path) => path.endsWith('.test.ts') && path !== 'test/tidy.test.ts')
  assert.deepEqual(
    tests.filter((path) => /\b(test|it|describe)\.(skip|only|todo)\b/.test(read(path))),
    [],
  )
})
