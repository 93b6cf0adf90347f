/**
 * A webhook receiver for the delivery checks, which the service must reach on port 443. On the machine of `npm run up`:
 *
 *   node acceptance/receiver.ts 127.77.0.1 <folder> &
 *   export NODE_EXTRA_CA_CERTS=<folder>/receiver.pem
 *   OUTBOUND_TEST_RANGES=127.77.0.0/16 npm run up
 *   WEBHOOK_RECEIVER=https://127.77.0.1 npm run acceptance -- webhooks
 *
 * Elsewhere, put a certificate for its name into <folder>/receiver.pem and its key into <folder>/receiver.key.
 * It keeps every POST and gives them back at /_received?under=<path>. The first part of a path says how it answers:
 * fail/ 500, gone/ 410, redirect/ 302 to landed/<path>, anything else 204.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import https from 'node:https'
import { join } from 'node:path'

const [address, folder] = process.argv.slice(2)
const cert = join(folder, 'receiver.pem')
const key = join(folder, 'receiver.key')
if (!existsSync(cert)) {
  const name = ['-subj', '/CN=receiver', '-addext', `subjectAltName=IP:${address}`]
  const files = ['-keyout', key, '-out', cert, '-days', '30']
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...files, ...name], { stdio: 'pipe' })
}

const entries: { method: string; path: string; headers: object; body: string }[] = []
const answers: Record<string, number> = { fail: 500, gone: 410, redirect: 302 }
https
  .createServer({ cert: readFileSync(cert), key: readFileSync(key) }, async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'https://receiver')
    const path = pathname.slice(1)
    if (path === '_received') {
      const under = searchParams.get('under') ?? ''
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(entries.filter((entry) => entry.path.startsWith(under))))
      return
    }
    const body = Buffer.concat(await request.toArray()).toString('utf8')
    entries.push({ method: request.method, path, headers: request.headers, body })
    response.setHeader('location', `/landed/${path}`)
    response.writeHead(answers[path.split('/')[0]] ?? 204).end()
  })
  .listen(443, address)
