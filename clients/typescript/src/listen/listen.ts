import { once } from 'node:events'
import type { Server } from 'node:http'
import { type AddressInfo, isIPv6 } from 'node:net'
import type { ListenOptions } from './options.ts'
import { eventLine, jsonLine, refusalLine } from './print.ts'
import { createReceiver, type Outcome } from './receiver.ts'

/** Listening failed; the message says what to do. */
export class ListenError extends Error {}

/**
 * Receives and prints until Ctrl-C. Events go to standard output, everything else to standard error, for use in pipes.
 */
export async function listen({ port, host, secrets, json }: ListenOptions): Promise<void> {
  const tally = { events: 0, repeats: 0, refused: 0 }
  const isRepeat = rememberIds()
  const tell = (outcome: Outcome) => {
    const at = new Date()
    if (outcome.status !== 204) {
      tally.refused++
      return note(refusalLine(outcome, at))
    }
    const received = { event: outcome.event, isRepeat: isRepeat(outcome.event.id), at }
    tally.events++
    if (received.isRepeat) tally.repeats++
    process.stdout.write(`${json ? jsonLine(received) : eventLine(received)}\n`)
  }
  const told = untilToldToStop()
  const server = createReceiver(secrets, tell)
  await startListening(server, port, host)
  note(introduction(host, (server.address() as AddressInfo).port))
  await told
  server.close()
  server.closeAllConnections()
  note(`Received ${tally.events} (${tally.repeats} repeated); rejected ${tally.refused}.`)
}

const note = (text: string) => void process.stderr.write(`${text}\n`)

/** The oldest ids are dropped, so that the receiver can run indefinitely. */
const maxRememberedIds = 10_000

/** Returns a function that reports whether it has been called with an id before. */
function rememberIds(): (id: string) => boolean {
  const seen = new Set<string>()
  return (id) => {
    if (seen.has(id)) return true
    const [oldest] = seen
    if (oldest !== undefined && seen.size >= maxRememberedIds) seen.delete(oldest)
    seen.add(id)
    return false
  }
}

function untilToldToStop(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
    // The program that reads the output has exited, as `head` does.
    process.stdout.on('error', () => resolve())
    process.stderr.on('error', () => resolve())
  })
}

async function startListening(server: Server, port: number, host: string) {
  server.listen(port, host)
  await once(server, 'listening').catch(({ code }: NodeJS.ErrnoException) => {
    throw new ListenError(code === 'EADDRINUSE' ? inUse(port, host) : cannotListen(port, host, code))
  })
}

const inUse = (port: number, host: string) =>
  `Port ${port} on ${host} is already in use. Stop the process that uses it, or choose another port with --port.`

const cannotListen = (port: number, host: string, code = 'unknown') =>
  `Cannot listen on port ${port} on ${host} (${code}). Choose a port above 1023 with --port, and an IP address of this machine with --host.`

const introduction = (host: string, port: number) =>
  `Listening on http://${isIPv6(host) ? `[${host}]` : host}:${port}, on every path. Press Ctrl-C to stop.
The service delivers only to public https URLs on port 443. Forward one here with a tunnel or a reverse proxy,
register it with POST /v1/webhooks, and request a first event with POST /v1/webhooks/{id}/test.`
