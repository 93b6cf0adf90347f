import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { request as requestHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { promisify } from 'node:util'
import { program } from '../../../../tooling/environment/processes.ts'
import { exchange } from '../../../../tooling/network/raw-http.ts'
import { newSecret } from '../../../../tooling/services/development.ts'
import { findNginx, type RunningNginx, runNginx } from '../../../../tooling/services/nginx.ts'
import { asUser, quietPort } from '../../../../tooling/services/state.ts'
import { kinds } from '../../../kinds/index.ts'
import type { Command } from '../../command.ts'
import { commands } from './gateway.ts'

const run = promisify(execFile)
const hostOf = (slug: string) => `${slug}.broadside.test`
const accountHost = hostOf('account')
const deskHost = hostOf('desk')

const folder = mkdtempSync(join(tmpdir(), 'gateway-command-'))
const directory = join(folder, 'gateway')
const secret = newSecret()
const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')]

/** Replaces the API and the owner page: echoes the request. */
let upstream: Server
let gateway: RunningNginx
let port: number
let settings: Record<string, string>
let said: string

before(async () => {
  // The gateway runs as another user, which must be able to enter the folder.
  chmodSync(folder, 0o755)
  upstream = createServer((request, response) =>
    response.end(JSON.stringify({ url: request.url, headers: request.headers })),
  ).listen(0, '127.0.0.1')
  await Promise.all([once(upstream, 'listening'), makeCertificate()])
  port = await quietPort()
  const upstreamPort = String((upstream.address() as AddressInfo).port)
  settings = {
    BROADSIDE_ENVIRONMENT: 'production',
    SITES: kinds.map(({ name, site }) => `${name}=https://${hostOf(site.slug)}`).join(' '),
    ACCOUNT_PAGE_URL: `https://${accountHost}`,
    DESK_URL: `https://${deskHost}`,
    DESK_PORT: upstreamPort,
    PAGES_DIRECTORY: join(folder, 'www'),
    API_PORT: upstreamPort,
    API_PROCESSES: '1',
    OWNER_PAGE_PORT: upstreamPort,
    GATEWAY_LISTEN: `127.0.0.1:${port}`,
    GATEWAY_CERTIFICATE: certificate,
    GATEWAY_CERTIFICATE_KEY: key,
    GATEWAY_TRUSTED_PROXIES: '127.0.0.0/8 2001:db8::/32',
    GATEWAY_SECRET: `${secret},${newSecret()}`,
  }
  for (const { site } of kinds) {
    mkdirSync(join(folder, 'www', site.slug), { recursive: true })
    writeFileSync(join(folder, 'www', site.slug, 'index.html'), site.slug)
  }
  const env = { PATH: process.env['PATH'], ...settings }
  said = (await run(process.execPath, [program, 'gateway', directory], { env })).stdout
  gateway = await runNginx({ directory, files: new Map(), ports: [port], detached: false })
})
after(async () => {
  await gateway?.stop()
  upstream?.closeAllConnections()
  upstream?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function makeCertificate() {
  const names = [...kinds.map(({ site }) => hostOf(site.slug)), accountHost, deskHost]
    .map((host) => `DNS:${host}`)
    .join(',')
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const subject = ['-subj', '/CN=broadside.test', '-addext', `subjectAltName=${names}`]
  await run('openssl', ['req', '-x509', ...curve, ...subject, '-out', certificate, '-keyout', key])
  // Only the test reads it, and a test gateway does not run as root.
  chmodSync(key, 0o644)
}

type Reply = { status: number | undefined; headers: Record<string, unknown>; body: string }

function ask(host: string, path: string, headers: Record<string, string> = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const where = { host: '127.0.0.1', port, path, servername: host, ca: readFileSync(certificate), agent: false }
    const request = requestHttps({ ...where, headers: { host, ...headers } }, async (response) => {
      const body = (await response.setEncoding('utf8').toArray()).join('')
      resolve({ status: response.statusCode, headers: response.headers, body })
    })
    request.once('error', reject)
    request.end()
  })
}

test('nginx accepts the configuration, and the command prints the next steps', async () => {
  assert.match(said, new RegExp(`nginx -p ${directory}/ -c nginx.conf -e error.log -t`))
  const [command = '', ...rest] = asUser('www-data', [findNginx(), '-p', `${directory}/`, '-c', 'nginx.conf', '-t'])
  const { stderr } = await run(command, [...rest, '-e', 'error.log'], { cwd: '/' })
  assert.match(stderr, /syntax is ok/)
  assert.match(stderr, /test is successful/)
})

test('each host serves its site over TLS with HSTS', async () => {
  for (const { site } of kinds) {
    const { status, headers, body } = await ask(hostOf(site.slug), '/')
    assert.deepEqual([status, body], [200, site.slug])
    assert.equal(headers['strict-transport-security'], 'max-age=63072000')
    const missing = await ask(hostOf(site.slug), '/nowhere')
    assert.equal(JSON.parse(missing.body).type, `https://${hostOf(site.slug)}/problems/not_found`)
    assert.equal(missing.headers['strict-transport-security'], 'max-age=63072000')
  }
})

test('HTTP/2 works, even with a port in the host name', async () => {
  const session = connectHttp2(`https://${hostOf('messages')}`, {
    createConnection: () =>
      connectTls({
        ...{ host: '127.0.0.1', port, servername: hostOf('messages') },
        ...{ ca: readFileSync(certificate), ALPNProtocols: ['h2'] },
      }),
  })
  const stream = session.request({ ':path': '/' })
  const [headers] = (await once(stream, 'response')) as [Record<string, unknown>]
  const body = (await stream.setEncoding('utf8').toArray()).join('')
  session.close()
  assert.deepEqual([headers[':status'], headers['access-control-allow-origin'], body], [200, '*', 'messages'])
})

test('the gateway proxies the API and the owner page, and the API responds for unknown hosts', async () => {
  for (const [host, path] of [
    [hostOf('stories'), '/v1/status'],
    [hostOf('stories'), '/mcp'],
    [accountHost, '/o/token'],
    [deskHost, '/'],
    ['nobody.broadside.test', '/index.html'],
  ] as const) {
    const reply = await ask(accountHost, path, { host })
    const seen = JSON.parse(reply.body)
    assert.deepEqual([seen.url, seen.headers.host, seen.headers['x-forwarded-proto']], [path, host, 'https'])
    assert.equal(reply.headers['strict-transport-security'], 'max-age=63072000')
  }
  const cased = await ask(accountHost, '/', { host: hostOf('Stories') })
  assert.equal(cased.body, 'stories')
  const withPort = JSON.parse((await ask(accountHost, '/', { host: `${accountHost}:443` })).body)
  assert.equal(withPort.headers.host, accountHost)
})

test('X-Forwarded-For is trusted only from a trusted proxy, and only its last address', async () => {
  const forwarded = { 'x-forwarded-for': '192.0.2.1, 203.0.113.9' }
  const { headers } = JSON.parse((await ask(hostOf('events'), '/v1/status', forwarded)).body)
  assert.equal(headers['x-forwarded-for'], '203.0.113.9')
})

test('plain HTTP on the TLS port gets a problem, and old TLS versions are rejected', async () => {
  const plain = await exchange(port, `GET / HTTP/1.1\r\nHost: ${hostOf('messages')}\r\n\r\n`)
  assert.deepEqual([plain.status, JSON.parse(plain.body).code], [400, 'malformed_request'])
  const old = connectTls({
    ...{ host: '127.0.0.1', port, servername: hostOf('messages'), ca: readFileSync(certificate) },
    // Without this, the client would not offer old versions.
    ...{ minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
  })
  await assert.rejects(once(old, 'secureConnect'), /protocol version/)
})

test('a reload does not interrupt requests', async () => {
  process.kill(Number(readFileSync(join(directory, 'nginx.pid'), 'utf8')), 'SIGHUP')
  for (let index = 0; index < 100; index += 1) assert.deepEqual((await ask(hostOf('stories'), '/')).body, 'stories')
})

test('the settings for connections, the rate of an address and the PROXY protocol reach the configuration', async () => {
  const write = async (changes: Record<string, string | undefined>) => {
    const elsewhere = join(folder, 'changed')
    const environment = { ...settings, ...changes }
    await writeGateway.run({ values: { directory: elsewhere }, flags: {}, environment })
    return readFileSync(join(elsewhere, 'nginx.conf'), 'utf8')
  }
  const usual = await write({})
  assert.match(usual, /limit_conn connections 256;/)
  assert.doesNotMatch(usual, /zone=api_addresses/)
  const changed = await write({
    GATEWAY_CONNECTIONS_PER_ADDRESS: '1000',
    GATEWAY_REQUESTS_PER_SECOND_PER_ADDRESS: '20',
    GATEWAY_PROXY_PROTOCOL: 'on',
  })
  assert.match(changed, /limit_conn connections 1000;/)
  assert.match(changed, /zone=api_addresses:4m rate=20r\/s;/)
  assert.match(changed, /limit_req zone=api_addresses burst=40 nodelay;/)
  assert.match(changed, new RegExp(`listen 127\\.0\\.0\\.1:${port} backlog=4096 proxy_protocol;`))
  const nobody = write({ GATEWAY_PROXY_PROTOCOL: 'on', GATEWAY_TRUSTED_PROXIES: undefined })
  await assert.rejects(nobody, /GATEWAY_PROXY_PROTOCOL needs GATEWAY_TRUSTED_PROXIES/)
})

const [writeGateway] = commands as [Command]

test('processes on other machines or in other containers are named by GATEWAY_…_SERVER(S)', async () => {
  const write = async (changes: Record<string, string>) => {
    const elsewhere = join(folder, 'elsewhere')
    await writeGateway.run({ values: { directory: elsewhere }, flags: {}, environment: { ...settings, ...changes } })
    return readFileSync(join(elsewhere, 'nginx.conf'), 'utf8')
  }
  const text = await write({
    GATEWAY_API_SERVERS: '10.0.0.7:4101 broadside-api:4101',
    GATEWAY_OWNER_PAGE_SERVER: 'owner-page:4110',
    GATEWAY_DESK_SERVER: '[2001:db8::7]:4120',
  })
  assert.match(
    text,
    /upstream api \{\n\s+server 10\.0\.0\.7:4101 max_fails=2 fail_timeout=4s;\n\s+server broadside-api:4101 max_fails=2 fail_timeout=4s;/,
  )
  assert.match(text, /upstream owner_page \{\n\s+server owner-page:4110 max_fails=2 fail_timeout=4s;/)
  assert.match(text, /upstream desk \{\n\s+server \[2001:db8::7\]:4120 max_fails=2 fail_timeout=4s;/)
  await assert.rejects(write({ GATEWAY_API_SERVERS: 'api:4101; include /etc/passwd' }), /GATEWAY_API_SERVERS: invalid/)
  await assert.rejects(write({ GATEWAY_DESK_SERVER: 'desk' }), /GATEWAY_DESK_SERVER: invalid/)
})

test('the gateway reads the bucket of the workers, maybe at other addresses', async () => {
  const write = async (changes: Record<string, string>) => {
    const bucket = join(folder, 'bucket')
    const environment = { ...settings, PAGES_STORE: 's3', ...changes }
    await writeGateway.run({ values: { directory: bucket }, flags: {}, environment })
    return readFileSync(join(bucket, 'nginx.conf'), 'utf8')
  }
  const workers = { PAGES_S3_BUCKET: 'pages', PAGES_S3_ENDPOINT: 'https://store.example:9000' }
  assert.match(await write(workers), /server store\.example:9000/)
  const elsewhere = await write({ ...workers, GATEWAY_PAGES_ENDPOINT: 'https://10.0.0.3:9000 https://10.0.0.4:9000' })
  assert.match(elsewhere, /server 10\.0\.0\.3:9000[^;]*;\n\s+server 10\.0\.0\.4:9000/)
  assert.doesNotMatch(elsewhere, /store\.example/)
  await assert.rejects(write({ PAGES_S3_ENDPOINT: 'https://store.example' }), /PAGES_STORE=s3 needs PAGES_S3_BUCKET/)
})

test('addresses without TLS and missing settings are rejected with a one-line error', async () => {
  const write = (changes: Record<string, string | undefined>) =>
    writeGateway.run({ values: { directory }, flags: {}, environment: { ...settings, ...changes } })
  const plain = { ACCOUNT_PAGE_URL: 'http://account.broadside.test' }
  await assert.rejects(write(plain), /ACCOUNT_PAGE_URL: must use https in production/)
  await assert.rejects(write({ ...plain, BROADSIDE_ENVIRONMENT: 'test' }), /must start with https:/)
  await assert.rejects(write({ GATEWAY_CERTIFICATE: undefined }), /GATEWAY_CERTIFICATE: missing/)
  const injected = write({ GATEWAY_LISTEN: '443;', GATEWAY_CERTIFICATE_KEY: '/a; b' })
  await assert.rejects(injected, /GATEWAY_LISTEN: invalid.*\n.*GATEWAY_CERTIFICATE_KEY: invalid/)
})
