import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { gatewayFiles } from '../../../../src/bin/gateway/configuration.ts'
import type { Gateway } from '../../../../src/bin/gateway/gateway.ts'
import { usualLimits } from '../../../../src/bin/gateway/limit-values.ts'
import { gatewayProblems } from '../../../../src/bin/gateway/problems.ts'
import { decimal, flag, readOptions, wholeNumber } from '../../../../tooling/script-options.ts'
import { newSecret } from '../../../../tooling/services/development.ts'
import { firstSecret, runNginx } from '../../../../tooling/services/nginx.ts'
import { quietPort } from '../../../../tooling/services/state.ts'
import { findWrk } from './paced-wrk.ts'

const run = promisify(execFile)
const connections = 32
const postId = 'post_01jcmzq8e5f7r9t2v4x6y8z0ab'
const browser = 'Accept: text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

/** The most requested files, by URL and by path on disk. */
export const pages = [
  { label: 'front page', path: '/', file: 'index.html', bytes: 24_000, header: browser },
  { label: 'post page', path: `/p/${postId}`, file: `p/ab/${postId}.html`, bytes: 7_000, header: browser },
  {
    label: 'post as JSON',
    path: `/p/${postId}.json`,
    file: `p/ab/${postId}.json`,
    bytes: 1_400,
    header: 'Accept: */*',
  },
  { label: 'feed', path: '/feed.xml', file: 'feed.xml', bytes: 40_000, header: 'Accept: */*' },
] as const
const codings = ['identity', 'gzip'] as const

/**
 * Compares files through the gateway with a bare nginx with the same files, alternating. The result is the median of
 * the rounds. With --log, the gateway writes its access log.
 */
export async function benchStatic(args: string[]): Promise<void> {
  const { seconds, rounds, log } = readOptions(args, { seconds: decimal(5), rounds: wholeNumber(5), log: flag })
  const wrk = findWrk()
  if (!wrk) {
    console.error('wrk was not found. Run scripts/setup.')
    process.exitCode = 1
    return
  }
  await using environment = await openEnvironment(log)
  console.log(
    `Each server is measured with wrk -t2 -c${connections} -d${seconds}s, alternating, ${rounds} times; median ratio.`,
  )
  console.log(`Repeat with: npm run bench -- static --seconds ${seconds} --rounds ${rounds}${log ? ' --log' : ''}`)
  for (const page of pages)
    for (const coding of codings) {
      const headers = [page.header, `Accept-Encoding: ${coding}`]
      const load = (url: string) => requestsPerSecond(wrk, { url, headers, seconds })
      const gatewayUrl = `http://localhost:${environment.gatewayPort}${page.path}`
      const bareUrl = `http://localhost:${environment.barePort}/${page.file}`
      const results: Result[] = []
      for (let round = 0; round < rounds; round++) results.push(await oneRound(load, { gatewayUrl, bareUrl, round }))
      const { bare, gateway, ratio } = middle(results)
      const label = `${page.label}, ${coding}`
      console.log(`${label}: bare ${bare.toFixed(0)}/s, gateway ${gateway.toFixed(0)}/s, ratio ${ratio.toFixed(2)}`)
      const numbers = { bare: Math.round(bare), gateway: Math.round(gateway), ratio: Math.round(ratio * 100) / 100 }
      console.log(JSON.stringify({ bench: 'static', load: label, connections, ...numbers }))
    }
}

type Result = { bare: number; gateway: number; ratio: number }
type Urls = { gatewayUrl: string; bareUrl: string; round: number }

/**
 * Every other round starts with the other side, because the second of two runs may find the machine warmer or busier.
 */
async function oneRound(load: (url: string) => Promise<number>, { gatewayUrl, bareUrl, round }: Urls): Promise<Result> {
  const first = await load(round % 2 === 0 ? bareUrl : gatewayUrl)
  const second = await load(round % 2 === 0 ? gatewayUrl : bareUrl)
  const [bare, gateway] = round % 2 === 0 ? [first, second] : [second, first]
  return { bare, gateway, ratio: gateway / bare }
}

function middle(results: Result[]): Result {
  const result = results.sort((one, other) => one.ratio - other.ratio)[Math.floor(results.length / 2)]
  if (!result) throw new Error('--rounds must be at least 1.')
  return result
}

type Load = { url: string; headers: readonly string[]; seconds: number }

async function requestsPerSecond(wrk: string, { url, headers, seconds }: Load): Promise<number> {
  const asked = headers.flatMap((header) => ['-H', header])
  const { stdout } = await run(wrk, ['-t2', `-c${connections}`, `-d${seconds}s`, ...asked, url])
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`Some requests to ${url} got no response:\n${stdout}`)
  return Number(/^Requests\/sec:\s+([\d.]+)/m.exec(stdout)?.[1])
}

/** The same files behind two nginx servers: ours, and one with a minimal configuration. */
async function openEnvironment(hasLog: boolean) {
  await using starting = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'broadside-bench-'))
  starting.defer(() => rm(folder, { recursive: true, force: true }))
  // The gateway runs as its own user and needs access to the folder.
  await chmod(folder, 0o755)
  const root = join(folder, 'www')
  await writePages(root)
  const [gatewayPort, barePort] = [await quietPort(), await quietPort()]
  const gateway = await runNginx({
    directory: join(folder, 'gateway'),
    files: gatewayFiles({
      ...gatewayLikeProduction(join(folder, 'gateway'), { port: gatewayPort, root }),
      ...(hasLog && { accessLog: 'access.log' }),
    }),
    ports: [gatewayPort],
    detached: false,
  })
  starting.defer(gateway.stop)
  const bare = await runNginx({
    directory: join(folder, 'bare'),
    files: new Map([['nginx.conf', bareConfiguration(barePort, root)]]),
    ports: [barePort],
    detached: false,
  })
  starting.defer(bare.stop)
  const stack = starting.move()
  return { gatewayPort, barePort, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

/** One address for all names, as in production, but without TLS. */
function gatewayLikeProduction(directory: string, { port, root }: { port: number; root: string }): Gateway {
  const listen = [`127.0.0.1:${port}`]
  return {
    directory,
    sites: [{ name: 'messages', baseUrl: `http://localhost:${port}`, root, listen }],
    ownerPage: { baseUrl: 'http://account.localhost', listen, upstreamPort: 1 },
    desk: { baseUrl: 'http://desk.localhost', listen, upstreamPort: 1 },
    strangers: { listen },
    apiPorts: [1],
    cardsPort: 1,
    requestsPerSecond: 100,
    burst: 200,
    problems: gatewayProblems,
    errorPages: new Map(),
    workers: { processes: 2, connections: 8_192 },
    limits: usualLimits,
    secret: firstSecret(newSecret()),
  }
}

/** Debian's defaults without a log and with precompressed files: a typical configuration for static files. */
const bareConfiguration = (port: number, root: string) => `
daemon off;
worker_processes 2;
pid nginx.pid;
error_log error.log crit;
events { worker_connections 2048; }
http {
  access_log off;
  client_body_temp_path tmp/body;
  proxy_temp_path tmp/proxy;
  fastcgi_temp_path tmp/fastcgi;
  uwsgi_temp_path tmp/uwsgi;
  scgi_temp_path tmp/scgi;
  types { text/html html; application/json json; application/rss+xml xml; }
  sendfile on;
  tcp_nopush on;
  gzip_static on;
  server { listen 127.0.0.1:${port}; root '${root}'; }
}
`

export async function writePages(root: string): Promise<void> {
  for (const { file, bytes } of pages) {
    const content = Buffer.from(prose(bytes))
    await mkdir(dirname(join(root, file)), { recursive: true })
    // The gateway reads the compressed file only. The bare server has both, as it is usual.
    await writeFile(join(root, file), content)
    await writeFile(join(root, `${file}.gz`), gzipSync(content, { level: 6 }))
  }
}

/** Text that compresses about as well as a page. */
function prose(bytes: number): string {
  const words =
    'the ferry from Setúbal leaves at nine <p class="post"> harbour notices <a href="/p/post_"> rain </a></p>'
  const list = words.split(' ')
  let text = ''
  for (let index = 1; text.length < bytes; index = (index * 48_271) % 2_147_483_647)
    text += `${list[index % list.length]} ${index % 7 === 0 ? index.toString(36) : ''}`
  return text.slice(0, bytes)
}
