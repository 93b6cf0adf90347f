import { execFileSync, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { makeCertificates } from '../../../tooling/network/https-receiver.ts'
import { waitFor } from '../../../tooling/services/state.ts'
import type { Received } from './webhook-receiver.ts'

export type NamespaceReceiver = Awaited<ReturnType<typeof startNamespaceReceiver>>
type Seen = { connectedTo: string } | (Received & { arrivedAt: string }) | 'listening'

const program = fileURLToPath(new URL('./namespace-receiver-process.ts', import.meta.url))
const ip = (...args: string[]) => execFileSync('ip', args, { stdio: ['ignore', 'pipe', 'pipe'] })

/**
 * A receiver on a separate machine, as far as the network can tell: a network namespace connected by a virtual link,
 * with a public, a private and a link-local address. All three are reachable from here.
 */
export async function startNamespaceReceiver(host: string) {
  await using opening = new AsyncDisposableStack()
  const place = layWire(opening)
  const folder = mkdtempSync(join(tmpdir(), 'broadside-namespace-'))
  opening.defer(() => rmSync(folder, { recursive: true }))
  const { ca, key, cert } = makeCertificates([host])
  writeFileSync(join(folder, 'key.pem'), key)
  writeFileSync(join(folder, 'cert.pem'), cert)
  const inside = ['netns', 'exec', place.name, process.execPath, program, folder]
  const child = spawn('ip', inside, { stdio: ['ignore', 'pipe', 'inherit'] })
  const seen: Seen[] = []
  createInterface(child.stdout).on('line', (line) => seen.push(JSON.parse(line)))
  opening.defer(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  await waitFor(async () => seen.includes('listening'), 'the receiver in its namespace')
  const stack = opening.move()
  return {
    ...place,
    authorities: ca,
    received: () => seen.filter((one) => typeof one === 'object' && 'body' in one),
    connectedTo: () =>
      seen.flatMap((one) => (typeof one === 'object' && 'connectedTo' in one ? [one.connectedTo] : [])),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/**
 * One end of the link is here, the other in the namespace. Names and networks are random, because tests run in
 * parallel.
 */
function layWire(stack: AsyncDisposableStack) {
  const number = randomInt(1, 250)
  const [name, here, there] = [`bs${process.pid}n`, `bs${process.pid}h`, `bs${process.pid}t`]
  const addresses = {
    publicAddress: `203.0.113.${number}`,
    privateAddress: `10.77.${number}.2`,
    linkLocalAddress: `169.254.77.${number}`,
  }
  ip('netns', 'add', name)
  // The link and its routes are removed with the namespace.
  stack.defer(() => void ip('netns', 'del', name))
  ip('link', 'add', here, 'type', 'veth', 'peer', 'name', there, 'netns', name)
  ip('addr', 'add', `10.77.${number}.1/30`, 'dev', here)
  ip('link', 'set', here, 'up')
  for (const device of ['lo', there]) ip('-n', name, 'link', 'set', device, 'up')
  ip('-n', name, 'addr', 'add', `${addresses.privateAddress}/30`, 'dev', there)
  for (const address of [addresses.publicAddress, addresses.linkLocalAddress]) {
    ip('-n', name, 'addr', 'add', `${address}/32`, 'dev', there)
    ip('route', 'add', `${address}/32`, 'via', addresses.privateAddress, 'dev', here)
  }
  return { name, ...addresses }
}
