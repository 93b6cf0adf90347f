// Asks the process in this container whether it is ready; the health check of the image, the same for every process.
// A container has one process, so whichever of the known ports is open belongs to it.
import { get } from 'node:http'
import { get as getSecurely } from 'node:https'

const environment = process.env
/** Shorter than the limit of the health check itself, so that it can say what did not respond. */
const timeout = Number(environment['HEALTH_TIMEOUT_SECONDS'] ?? 4) * 1_000
/** 0.0.0.0 means all addresses of the container. */
const host = /^(?:0\.0\.0\.0|::)?$/.test(environment['LISTEN_HOST'] ?? '') ? '127.0.0.1' : environment['LISTEN_HOST']

const portOf = (name: string, usual: number) => Number(environment[name] ?? usual)
const ports = {
  API_HEALTH_PORT: 4201,
  OWNER_PAGE_HEALTH_PORT: 4210,
  DESK_HEALTH_PORT: 4220,
  CARDS_HEALTH_PORT: 4240,
  WORKER_HEALTH_PORT: 4221,
}

const checks = [
  ...Object.entries(ports).map(([name, usual]) => ask('/readyz', portOf(name, usual))),
  ask('/healthz', portOf('MODEL_PORT', 4301)),
  askGateway(),
]
const answers = (await Promise.all(checks)).filter((answer) => answer !== null)
if (answers.length === 0) console.error('No process of Broadside listens in this container.')
for (const { what, status } of answers) console.log(`${what}: ${status}`)
process.exitCode = answers.length > 0 && answers.every(({ isReady }) => isReady) ? 0 : 1

type Answer = { what: string; status: number | string; isReady: boolean }

/** Null if nothing listens on the port. */
function ask(path: string, port: number): Promise<Answer | null> {
  const what = `${path} on port ${port}`
  return new Promise((resolve) => {
    const request = get({ host, port, path, timeout }, (response) => {
      response.resume()
      const status = response.statusCode ?? 0
      resolve({ what, status, isReady: status === 200 })
    })
    giveUp(request, what, resolve)
  })
}

/** Any response but a server error: the gateway is up even if a page or the API is not. */
function askGateway(): Promise<Answer | null> {
  const address = (environment['GATEWAY_LISTEN'] ?? '443').split(/[\s,]+/, 1)[0] ?? '443'
  const port = Number(address.slice(address.lastIndexOf(':') + 1))
  const site = /https:\/\/[^\s,/]+/.exec(environment['SITES'] ?? '')?.[0] ?? 'https://localhost'
  const what = `the gateway on port ${port}`
  const { hostname } = new URL(site)
  return new Promise((resolve) => {
    // The certificate is for the public name; whether it is valid is the business of clients and of monitoring.
    const options = { host: '127.0.0.1', port, path: '/robots.txt', timeout, rejectUnauthorized: false }
    const headers = { host: hostname }
    const request = getSecurely({ ...options, servername: hostname, headers }, (response) => {
      response.resume()
      const status = response.statusCode ?? 0
      resolve({ what, status, isReady: status < 500 })
    })
    giveUp(request, what, resolve)
  })
}

function giveUp(request: ReturnType<typeof get>, what: string, resolve: (answer: Answer | null) => void) {
  request.once('timeout', () => request.destroy(new Error('no response')))
  request.once('error', (error: NodeJS.ErrnoException) =>
    resolve(error.code === 'ECONNREFUSED' ? null : { what, status: error.message, isReady: false }),
  )
}
