import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { actionsOn } from './actions.ts'
import { apiOn } from './api.ts'
import { controlsOn, type Trouble } from './controls.ts'
import { newName, Refusal, refused, shown } from './objects.ts'
import { checkoutPage, missingPage, overviewPage } from './pages.ts'
import { openStore } from './store.ts'
import { openWebhooks } from './webhooks.ts'

type Options = {
  port: number
  secretKey: string
  webhookSecret: string
  /** The URL that Stripe would call. It can be set later. */
  eventsUrl?: string
  /** The file that keeps all state across a restart. */
  file?: string
  /** The creation time of objects. Signatures always use the machine's time. */
  now?: () => Date
  retryDelaysMs?: readonly number[]
  /** The delay before Broadside receives the event of a delayed payment. */
  lateMs?: number
}

export type PaymentProvider = Awaited<ReturnType<typeof startPaymentProvider>>

/** The payment provider for development. It implements Stripe's API, has payment pages, and moves no money. */
export async function startPaymentProvider({ secretKey, webhookSecret, lateMs = 8_000, ...options }: Options) {
  const store = openStore(options.file)
  const now = options.now ?? (() => new Date())
  const { eventsUrl, retryDelaysMs } = options
  const webhooks = openWebhooks({
    store,
    secret: webhookSecret,
    eventsUrl,
    now,
    ...(retryDelaysMs && { retryDelaysMs }),
  })
  let origin = ''
  const parts = { store, webhooks, now, origin: () => origin }
  const actions = actionsOn(parts)
  const trouble: Trouble = { answersToLose: 0, failures: [] }
  const controls = controlsOn(store, webhooks, actions, trouble)
  const door = { ...parts, actions, ask: apiOn(parts, actions), controls, trouble, secretKey, lateMs }
  const server = createServer((request, response) => {
    answer(door, request, response)
      .catch((error: unknown) => sendError(response, error))
      .finally(() => store.save())
  })
  server.listen(options.port, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  origin = `http://localhost:${port}`
  return {
    apiUrl: `http://127.0.0.1:${port}`,
    checkoutOrigin: origin,
    ...actions,
    webhooks,
    /** All objects of a kind, newest first. */
    list: store.list,
    /** Executes the next requests that change something, but cuts the connection before the response. */
    loseAnswers: (count: number) => {
      trouble.answersToLose = count
    },
    /** Responds to the next requests with these statuses without executing them. */
    failWith: (...statuses: number[]) => void trouble.failures.push(...statuses),
    [Symbol.asyncDispose]: async () => {
      server.close()
      server.closeAllConnections()
      await webhooks.close()
      store.save()
    },
  }
}

type Door = Parameters<typeof apiOn>[0] & {
  actions: ReturnType<typeof actionsOn>
  ask: ReturnType<typeof apiOn>
  controls: ReturnType<typeof controlsOn>
  trouble: Trouble
  secretKey: string
  lateMs: number
}

async function answer(door: Door, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? '/'
  const body = await text(request)
  if (path.startsWith('/v1/')) return answerApi(door, request, response, body)
  if (path.startsWith('/double/')) return answerControl(door, request, response)
  const [, sessionId] = /^\/c\/pay\/(\w+)$/.exec(path) ?? []
  if (sessionId)
    return answerPage(door, sessionId, request.method === 'POST' ? new URLSearchParams(body) : null, response)
  if (path === '/') return sendPage(response, 200, overviewPage(door.store))
  return sendPage(response, 404, missingPage())
}

async function answerApi(door: Door, request: IncomingMessage, response: ServerResponse, body: string) {
  const { trouble, store } = door
  if (request.headers.authorization !== `Bearer ${door.secretKey}`)
    throw new Refusal(401, { type: 'invalid_request_error', message: 'Invalid API Key provided.' })
  const failure = trouble.failures.shift()
  if (failure) throw new Refusal(failure, { type: 'api_error', message: 'The test double is set to fail.' })
  const key = request.method === 'POST' ? String(request.headers['idempotency-key'] ?? '') : ''
  const asked = `${request.method} ${request.url} ${body}`
  const known = key ? store.answers.get(key) : undefined
  if (known && known.request !== asked) {
    const message = 'Keys for idempotent requests can only be used with the same parameters they were first used with.'
    throw new Refusal(400, { type: 'idempotency_error', message })
  }
  const { status, body: answered } = known ?? carryOut(door, request, body)
  // Stripe stores the result of executed requests, but not of requests that never started.
  if (key && [200, 402].includes(status)) store.answers.set(key, { request: asked, status, body: answered })
  if (request.method !== 'GET' && trouble.answersToLose > 0) {
    trouble.answersToLose -= 1
    request.socket.destroy()
    return
  }
  send(response, status, 'application/json', answered, known ? { 'idempotent-replayed': 'true' } : {})
}

function carryOut({ ask }: Door, { method = '', url = '' }: IncomingMessage, body: string) {
  try {
    return { status: 200, body: shown(ask({ method, path: url, body })) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { status: error.status, body: shown({ error: error.error }) }
  }
}

async function answerControl({ controls }: Door, request: IncomingMessage, response: ServerResponse) {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://double')
  const control = controls[pathname.slice('/double/'.length)]
  if (!control || request.method !== 'POST') throw refused(404, undefined, 'No such control.')
  const result = await control((name) => searchParams.get(name) ?? undefined)
  if (request.headers.accept?.includes('text/html')) response.writeHead(303, { location: '/' }).end()
  else send(response, 200, 'application/json', shown(result ?? { done: true }))
}

async function answerPage(door: Door, sessionId: string, form: URLSearchParams | null, response: ServerResponse) {
  const { store, actions, webhooks, lateMs } = door
  const session = store.find('checkout.session', sessionId)
  if (!session) return sendPage(response, 404, missingPage())
  if (!form || session.status !== 'open') return sendPage(response, 200, checkoutPage(session, false))
  if (session.mode === 'setup') actions.leaveCard(sessionId, form.get('card') ?? '4242')
  else {
    const [isDeclined, isLate] = [form.get('act') === 'decline', form.get('act') === 'delay']
    actions.pay(sessionId, { last4: isDeclined ? '0002' : '4242', hold: isLate })
    if (isLate) webhooks.releaseAfter(lateMs)
    if (isDeclined) return sendPage(response, 200, checkoutPage(session, true))
    if (isLate) return goTo(response, session)
  }
  // Stripe also waits a moment for its webhook before it redirects the browser.
  await Promise.race([webhooks.settled(), sleep(2_000, undefined, { ref: false })])
  return goTo(response, session)
}

const goTo = (response: ServerResponse, { success_url, id }: { success_url: string; id: string }) =>
  void response.writeHead(303, { location: success_url.replace('{CHECKOUT_SESSION_ID}', id) }).end()

const pagePolicy = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"

const sendPage = (response: ServerResponse, status: number, page: string) =>
  send(response, status, 'text/html; charset=utf-8', page, { 'content-security-policy': pagePolicy })

function sendError(response: ServerResponse, error: unknown): void {
  const known = error instanceof Refusal ? error : null
  if (!known) console.error(error)
  const body = { error: known?.error ?? { type: 'api_error', message: 'Unexpected error in the test double.' } }
  send(response, known?.status ?? 500, 'application/json', shown(body))
}

function send(response: ServerResponse, status: number, type: string, body: string, headers: object = {}): void {
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'request-id': newName('req_'),
    ...headers,
  })
  response.end(body)
}
