import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerEnvelope } from 'smtp-server'
import type { Mail, StoredMail } from './inbox-pages.ts'
import { listPage, messagePage, missingPage } from './inbox-pages.ts'

const keptMessages = 500
const maxMessageBytes = 1024 * 1024

export interface Inbox extends AsyncDisposable {
  smtpPort: number
  webPort: number
}

/** The development inbox: an SMTP server that delivers nothing, and a page that shows the emails it received. */
export async function startInbox(ports: { smtpPort: number; webPort: number; smtpHost?: string }): Promise<Inbox> {
  await using starting = new AsyncDisposableStack()
  const box: StoredMail[] = []
  let received = 0
  const address = { port: ports.smtpPort, host: ports.smtpHost ?? '127.0.0.1' }
  const smtp = await listenSmtp(address, async (raw, envelope) => {
    const mail = await readMail(raw, envelope)
    received += 1
    box.push({ id: String(received), ...mail })
    if (box.length > keptMessages) box.shift()
  })
  starting.defer(() => new Promise((resolve) => smtp.close(resolve)))
  const smtpPort = (smtp.server.address() as AddressInfo).port
  const web = createServer((request, response) => answer({ box, smtpPort }, request, response))
  web.listen(ports.webPort, '127.0.0.1')
  await once(web, 'listening')
  starting.defer(() => {
    web.close()
    web.closeAllConnections()
  })
  const { port: webPort } = web.address() as AddressInfo
  const started = starting.move()
  return { smtpPort, webPort, [Symbol.asyncDispose]: () => started.disposeAsync() }
}

type Deliver = (raw: Buffer, envelope: SMTPServerEnvelope) => Promise<void>

async function listenSmtp({ port, host }: { port: number; host: string }, deliver: Deliver): Promise<SMTPServer> {
  const smtp = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    onAuth: ({ username }, _session, callback) => callback(null, { user: username ?? 'anyone' }),
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    size: maxMessageBytes,
    maxClients: 50,
    closeTimeout: 1_000,
    onData: (stream, session, callback) => {
      readBounded(stream)
        .then((raw) => deliver(raw, session.envelope))
        .then(() => callback(), callback)
    },
  })
  // A client that disconnects is not an error; an unhandled event would end the process.
  smtp.on('error', (error) => console.error(`SMTP: ${error.message}`))
  smtp.listen(port, host)
  await once(smtp.server, 'listening')
  return smtp
}

async function readBounded(stream: SMTPServerDataStream): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream) {
    bytes += chunk.length
    if (bytes <= maxMessageBytes) chunks.push(chunk)
  }
  if (bytes > maxMessageBytes) {
    throw Object.assign(new Error(`Messages are limited to ${maxMessageBytes} bytes.`), { responseCode: 552 })
  }
  return Buffer.concat(chunks)
}

async function readMail(raw: Buffer, envelope: SMTPServerEnvelope): Promise<Omit<StoredMail, 'id'>> {
  const { from, subject = '', text = '', html = '', headers } = await PostalMime.parse(raw)
  const address = from?.address || (envelope.mailFrom ? envelope.mailFrom.address : '')
  return {
    from: from?.name ? `${from.name} <${address}>` : address,
    to: envelope.rcptTo.map((recipient) => recipient.address),
    subject,
    text,
    html,
    received_at: new Date().toISOString(),
    headers: headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
    raw,
  }
}

function answer(
  state: { box: StoredMail[]; smtpPort: number },
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { box, smtpPort } = state
  const [, collection, id, part] = (request.url ?? '').split('?')[0]?.split('/') ?? []
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { allow: 'GET, HEAD' }).end()
  } else if (collection === '') {
    sendPage(response, 200, listPage(box, smtpPort))
  } else if (collection === 'email' && id === undefined) {
    send(response, 200, 'application/json', JSON.stringify(box.map(listed)))
  } else {
    const mail = collection === 'email' ? box.find((one) => one.id === id) : undefined
    if (mail && part === undefined) sendPage(response, 200, messagePage(mail))
    else if (mail?.html && part === 'html') send(response, 200, 'text/html; charset=utf-8', mail.html, mailPolicy)
    else if (mail && part === 'raw') send(response, 200, 'text/plain; charset=utf-8', mail.raw)
    else sendPage(response, 404, missingPage())
  }
}

/** The list stays small: headers and raw messages are on the pages. */
const listed = ({ headers: _headers, raw: _raw, ...mail }: StoredMail): Mail => mail

// Emails contain untrusted markup, so scripts, requests and the origin are blocked.
const mailPolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:"
const pagePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'none'; form-action 'none'"

const sendPage = (response: ServerResponse, status: number, page: string) =>
  send(response, status, 'text/html; charset=utf-8', page, pagePolicy)

function send(
  response: ServerResponse,
  status: number,
  type: string,
  body: string | Buffer,
  policy = "default-src 'none'",
) {
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  })
  response.end(body)
}

if (import.meta.main) {
  const stop = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort())
  await using inbox = await startInbox({
    smtpPort: Number(process.env['SMTP_PORT'] || 2525),
    webPort: Number(process.env['INBOX_PORT'] || 4006),
    smtpHost: process.env['SMTP_HOST'] || '127.0.0.1',
  })
  console.log(`Inbox: email is accepted on 127.0.0.1:${inbox.smtpPort} and shown on http://localhost:${inbox.webPort}`)
  if (!stop.signal.aborted) await once(stop.signal, 'abort')
}
