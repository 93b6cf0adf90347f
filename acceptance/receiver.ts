// A webhook receiver for the delivery checks. It must be reached by the service as a public https address on port 443:
//
//   CERT=cert.pem KEY=key.pem node receiver.ts [port]
//   WEBHOOK_RECEIVER=https://hooks.your-domain.example node run.ts webhooks
//
// It keeps every POST and gives them back at /_received?under=<path>. The first part of a path says how it answers:
// fail/ 500, gone/ 410, redirect/ 302 to landed/<path>, slow/ after 20 s, anything else 204.
import { readFileSync } from 'node:fs'
import https from 'node:https'

const entries = []
const answers = { fail: 500, gone: 410, redirect: 302 }

https
  .createServer({ cert: readFileSync(process.env.CERT), key: readFileSync(process.env.KEY) }, (request, response) => {
    const url = new URL(request.url, 'https://receiver')
    const path = url.pathname.slice(1)
    if (path === '_received') {
      const under = url.searchParams.get('under') ?? ''
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(entries.filter((entry) => entry.path.startsWith(under))))
      return
    }
    const chunks = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      entries.push({
        at: new Date().toISOString(),
        method: request.method,
        path,
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      })
      const mode = path.split('/')[0]
      response.statusCode = answers[mode] ?? 204
      if (mode === 'redirect') response.setHeader('location', `/landed/${path}`)
      setTimeout(() => response.end(), mode === 'slow' ? 20_000 : 0)
    })
  })
  .listen(Number(process.argv[2] ?? 443))
