import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { gatewayProblems } from '../../../src/bin/gateway/problems.ts'
import { type Answer, exchange, exchangeFrom } from '../../../tooling/network/raw-http.ts'
import { newSecret } from '../../../tooling/services/development.ts'
import { firstSecret, type GatewayOptions, startNginx } from '../../../tooling/services/nginx.ts'
import { quietPort } from '../../../tooling/services/state.ts'

export const browserAccept = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

/** One site behind the gateway, whose root is a link to a tree of these files, stored as the page store does. */
export async function serveFiles(files: Record<string, string | Buffer>, overrides: Partial<GatewayOptions> = {}) {
  await using starting = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'gateway-files-'))
  starting.defer(() => rmSync(folder, { recursive: true, force: true }))
  // The gateway runs as its own user and needs access to the folder.
  chmodSync(folder, 0o755)
  const root = join(folder, 'messages')
  const tree = writeTree(folder, 'tree', files)
  symlinkSync(tree, root)
  const [port, owner, desk] = [await quietPort(), await quietPort(), await quietPort()]
  const baseUrl = `http://localhost:${port}`
  const gateway = await startNginx({
    directory: join(folder, 'nginx'),
    sites: [{ name: 'messages', port, baseUrl, root }],
    ownerPage: { port: owner, baseUrl: `http://localhost:${owner}`, upstreamPort: 1 },
    desk: { port: desk, baseUrl: `http://localhost:${desk}`, upstreamPort: 1 },
    apiPorts: [1],
    requestsPerSecond: 1,
    burst: 1,
    problems: gatewayProblems,
    secret: firstSecret(newSecret()),
    detached: false,
    ...overrides,
  })
  starting.defer(gateway.stop)
  const stack = starting.move()
  return {
    ...{ port, owner, desk, baseUrl, folder, root, tree },
    ask: (path: string, headers: Record<string, string> = {}, method = 'GET') => ask(port, method, path, headers),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** Writes the files and returns their folder. */
export function writeTree(folder: string, name: string, files: Record<string, string | Buffer>): string {
  const tree = join(folder, name)
  for (const [path, content] of Object.entries(files)) {
    const file = join(tree, path)
    mkdirSync(dirname(file), { recursive: true })
    const isPlain = content.length === 0 || /\.(?:png|woff2|ico)$/.test(path)
    writeFileSync(isPlain ? file : `${file}.gz`, isPlain ? content : gzipSync(content))
  }
  return tree
}

/** As a caller without Accept headers, unless given. */
function ask(port: number, method: string, path: string, headers: Record<string, string>): Promise<Answer> {
  const all = { host: `localhost:${port}`, connection: 'close', ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return exchange(port, `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
}

export type ServedWithDoors = Awaited<ReturnType<typeof serveWithDoors>>

type Sent = { method?: string; body?: string; headers?: Record<string, string>; before?: string }

/**
 * A site with a front page, an owner page and a desk behind the gateway. In place of the API and of their servers, one
 * server answers with the headers that it received, and with 503 on /v1/fails.
 */
export async function serveWithDoors(overrides: Partial<GatewayOptions> = {}) {
  await using starting = new AsyncDisposableStack()
  const upstream = createServer((request, response) => {
    request.resume()
    response.statusCode = request.url === '/v1/fails' ? 503 : 200
    response.end(JSON.stringify(request.headers))
  }).listen(0, '127.0.0.1')
  await once(upstream, 'listening')
  starting.defer(() => {
    upstream.closeAllConnections()
    upstream.close()
  })
  const { port: upstreamPort } = upstream.address() as AddressInfo
  const server = (port: number) => ({ port, baseUrl: `http://localhost:${port}`, upstreamPort })
  const ownerPage = overrides.ownerPage ?? server(await quietPort())
  const desk = overrides.desk ?? server(await quietPort())
  const rates = { requestsPerSecond: 10_000, burst: 10_000 }
  const options = { apiPorts: [upstreamPort], ...rates, ...overrides, ownerPage, desk }
  const site = starting.use(await serveFiles({ 'index.html': 'the front page' }, options))
  const ports = { site: site.port, owner: ownerPage.port, desk: desk.port }
  const stack = starting.move()
  return {
    ports,
    folder: site.folder,
    /** Sends a request from an address of this machine. `before` precedes the request on the connection. */
    ask: (from: string, where: keyof typeof ports, path: string, sent: Sent = {}): Promise<Answer> => {
      const { method = 'GET', body = '', headers = {}, before = '' } = sent
      const all = {
        host: `localhost:${ports[where]}`,
        connection: 'close',
        'content-length': String(body.length),
        ...headers,
      }
      const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
      return exchangeFrom(from, ports[where], `${before}${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
