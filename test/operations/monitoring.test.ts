// Runs alone: it starts processes.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import packageFile from '../../package.json' with { type: 'json' }
import { type MetricName, metricTable, prometheusName } from '../../src/platform/observability/metric-table.ts'
import { serviceMetrics } from '../../src/platform/observability/service-metrics.ts'
import { type Running, runOperator, spawnBroadside, startApi } from '../../tooling/environment/processes.ts'
import { newcomer } from '../../tooling/environment/service.ts'
import { migratedDatabase, type OwnDatabase } from '../../tooling/services/databases.ts'
import { answers } from '../../tooling/services/stack.ts'
import { waitFor } from '../../tooling/services/state.ts'

let database: OwnDatabase
before(async () => {
  database = await migratedDatabase('monitoring')
})
after(() => database[Symbol.asyncDispose]())

type Span = {
  traceId: string
  name: string
  parentSpanId?: string
  attributes: { key: string }[]
  links?: { traceId: string }[]
}

/** Receives traces as an OpenTelemetry collector does. */
async function startCollector() {
  const spans: (Span & { service: string })[] = []
  let text = ''
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    text += body
    for (const { resource, scopeSpans } of JSON.parse(body).resourceSpans) {
      const service = resource.attributes.find(({ key }: { key: string }) => key === 'service.name').value.stringValue
      for (const { spans: added } of scopeSpans) spans.push(...added.map((span: Span) => ({ ...span, service })))
    }
    response.end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    all: () => text,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const metricsAt = async (port: string | undefined) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
const logLines = ({ output }: Pick<Running, 'output'>) =>
  output.stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)

test('one trace goes from the API through the queue and the worker to the model, and the log has its id', async () => {
  await using collector = await startCollector()
  await using api = await startApi(database, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
  await using _model = spawnBroadside(api.settings, 'model')
  await using _worker = spawnBroadside(api.settings, 'worker')
  await using _owner = spawnBroadside(api.settings, 'owner-page')
  await using _desk = spawnBroadside(api.settings, 'desk')
  await using _cards = spawnBroadside(api.settings, 'cards')
  const ports = {
    api: api.settings.API_HEALTH_PORT,
    worker: api.settings.WORKER_HEALTH_PORT,
    'owner-page': api.settings.OWNER_PAGE_HEALTH_PORT,
    desk: api.settings.DESK_HEALTH_PORT,
    cards: api.settings.CARDS_HEALTH_PORT,
    model: api.settings.MODEL_PORT,
  }
  const isUp = (port: string | undefined) => answers(`http://127.0.0.1:${port}/healthz`).catch(() => false)
  for (const port of Object.values(ports)) await waitFor(() => isUp(port), 'a process to answer')
  const { body: account } = await api.client().createAccount(newcomer)
  const caller = 'a'.repeat(32)
  const submit = () =>
    fetch(`${api.baseUrl}/v1/posts`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${account.api_key}`,
        'content-type': 'application/json',
        traceparent: `00-${caller}-${'b'.repeat(16)}-01`,
      },
      body: JSON.stringify({ text: 'The heron stood in the shallow water.', topics: ['nature'] }),
    })
  const refused = await submit()
  const problem = (await refused.json()) as { instance: string }
  assert.ok(refused.status >= 400, 'an account without a balance cannot post')
  assert.equal(problem.instance, refused.headers.get('x-request-id'))
  const credited = await runOperator(api.settings, 'credit', account.id, '1000000', '--reason', 'test')
  assert.equal(credited.code, 0, credited.stderr)
  const response = await submit()
  assert.equal(response.status, 202, await response.text())
  const traceId = String(response.headers.get('x-request-id'))
  const services = () => new Set(collector.spans.filter((span) => span.traceId === traceId).map((span) => span.service))
  const hasAll = async () => ['api', 'worker', 'model'].every((name) => services().has(`broadside-${name}`))
  await waitFor(hasAll, 'spans of API, worker and model in one trace', 120_000)
  const [server] = collector.spans.filter((span) => span.traceId === traceId && span.name === 'POST /v1/posts')
  assert.ok(server, 'the span is named after the route')
  assert.deepEqual(
    server.links?.map((link) => link.traceId),
    [caller],
    'a stranger’s trace is linked, not continued',
  )
  assert.ok(
    collector.spans.some(
      (span) => span.traceId === traceId && span.attributes.some(({ key }) => key === 'db.system.name'),
    ),
  )
  assert.doesNotMatch(collector.all(), /heron/, 'no user text')
  const [line] = logLines(api).filter((one) => one['request_id'] === traceId)
  assert.equal(line?.['trace_id'], traceId)
  assert.match(String(line?.['instance']), /:\d+$/)
  assert.equal(line?.['version'], packageFile.version)
  const texts = Object.fromEntries(
    await Promise.all(Object.entries(ports).map(async ([name, port]) => [name, await metricsAt(port)] as const)),
  ) as Record<keyof typeof ports, string>
  for (const [name, text] of Object.entries(texts)) {
    assert.match(
      text,
      new RegExp(`^target_info\\{.*service_name="broadside-${name}".*service_version="${packageFile.version}"`, 'm'),
    )
    assert.match(text, /^nodejs_eventloop_delay_p99_seconds\{/m)
    assert.match(text, /^process_memory_usage_bytes\{/m)
    assert.match(text, /^process_ready\{.*\} [01]$/m, name)
  }
  assert.match(texts.worker, /^db_client_connection_max\{db_client_connection_pool_name="broadside jobs"/m)
  assert.match(
    texts.worker,
    /^jobs_failures_total\{queue="publish-post",final="true".*\} 0$/m,
    'an alert on the first failure needs a value before it',
  )
  const notOfTheTable = Object.values(texts)
    .flatMap((text) => [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name))
    .filter((name) => name !== 'target_info' && !known.includes(name))
  assert.deepEqual(notOfTheTable, [])
  // On a busy machine a reading takes longer than a scrape waits for it, and the next scrape has it.
  for (const name of atOnce) {
    const [process] = serviceMetrics[name].exportedBy
    const isThere = async () =>
      (await metricsAt(ports[process as keyof typeof ports])).includes(`\n${prometheusName(name)}`)
    await waitFor(isThere, `${name}, which has a value from the start`)
  }
})

const known = (Object.keys(metricTable) as MetricName[]).map(prometheusName)

/** These need a standby, a replica, a directory, a CDN or a reference clock. */
const needsMore = /^(?:cdn|checks|database\.(?:replication|replica)|clock)\./
const atOnce = (Object.keys(serviceMetrics) as (keyof typeof serviceMetrics)[]).filter(
  (name) => serviceMetrics[name].type === 'gauge' && !needsMore.test(name),
)
