import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { startPostgres } from '../services/postgres.ts'

const run = promisify(execFile)
const relayVariable = 'BROADSIDE_NAMESPACE_RELAY'

export const isInNamespace = () => process.env[relayVariable] !== undefined

/**
 * Runs a program of this project in a network namespace of its own and returns the last line that it prints. Rules for
 * packets there do not affect this machine and disappear with it. The program reaches the PostgreSQL server through a
 * Unix socket, which namespaces do not separate.
 */
export async function runInNamespace(program: string, args: readonly string[]): Promise<string> {
  const server = new URL((await startPostgres()).adminUrl)
  const folder = mkdtempSync(join(tmpdir(), 'broadside-namespace-'))
  const socket = join(folder, 'postgres.sock')
  const relay = createServer((near) => {
    const far = connect(Number(server.port || 5432), server.hostname)
    near.pipe(far).pipe(near)
    near.on('error', () => far.destroy())
    far.on('error', () => near.destroy())
  }).listen(socket)
  await once(relay, 'listening')
  server.hostname = '127.0.0.1'
  try {
    const own = { DATABASE_URL: server.href, [relayVariable]: socket }
    return await lastLineOf(['unshare', '--net', '--kill-child', process.execPath, program, ...args], own)
  } finally {
    relay.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const machineVariable = 'BROADSIDE_NAMESPACE_MACHINE'

export const isOwnMachine = () => process.env[machineVariable] !== undefined

/**
 * Runs a program of this project with a network and process ids of its own, as on another machine, and returns the last
 * line that it prints. Every process that it starts ends with it, even daemons, and even if this process is killed.
 */
export function runAsOwnMachine(
  program: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<string> {
  const machine = ['unshare', '--net', '--pid', '--mount-proc', '--kill-child']
  // The first process of a machine must reap orphans, as bash does and Node does not. A server whose process was
  // killed would otherwise seem to be running.
  const init = ['bash', '-c', '"$@" & wait $!', 'init']
  return lastLineOf(['setpriv', '--pdeathsig', 'KILL', ...machine, ...init, process.execPath, program, ...args], {
    ...environment,
    [machineVariable]: '1',
  })
}

async function lastLineOf([command = '', ...args]: readonly string[], own: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(command, args, { env: { ...process.env, ...own }, stdio: ['ignore', 'pipe', 'inherit'] })
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')])
  const line = output.trim().split('\n').at(-1)
  if (!line) throw new Error('The program printed nothing in its namespace. Namespaces need root and util-linux.')
  return line
}

const table = (lossPercent: number) => `
table inet chaos {
  set cut { type inet_service; }
  set lossy { type inet_service; }
  chain incoming {
    type filter hook input priority 0;
    tcp dport @cut drop
    tcp sport @cut drop
    tcp dport @lossy numgen random mod 100 < ${lossPercent} drop
    tcp sport @lossy numgen random mod 100 < ${lossPercent} drop
  }
}`

/** Prepares this process's namespace: loopback, the way to PostgreSQL, and rules that drop packets of chosen ports. */
export async function openNamespace({ lossPercent }: { lossPercent: number }) {
  const socket = process.env[relayVariable]
  if (!socket) throw new Error('This process is not in a namespace of its own.')
  await run('ip', ['link', 'set', 'lo', 'up'])
  const server = new URL((await startPostgres()).adminUrl)
  const relay = createServer((near) => {
    const far = connect(socket)
    near.pipe(far).pipe(near)
    near.on('error', () => far.destroy())
    far.on('error', () => near.destroy())
  }).listen(Number(server.port), '127.0.0.1')
  await once(relay, 'listening')
  const loading = run('nft', ['-f', '-'])
  loading.child.stdin?.end(table(lossPercent))
  await loading
  const change = (verb: 'add' | 'delete', set: 'cut' | 'lossy', port: number) =>
    run('nft', [verb, 'element', 'inet', 'chaos', set, `{ ${port} }`])
  return {
    server: { host: server.hostname, port: Number(server.port) },
    /** Drops all packets to and from the port. */
    cut: (port: number) => change('add', 'cut', port),
    join: (port: number) => change('delete', 'cut', port),
    /** Drops some packets to and from the port. */
    startLosing: (port: number) => change('add', 'lossy', port),
    stopLosing: (port: number) => change('delete', 'lossy', port),
    [Symbol.asyncDispose]: async () => {
      relay.close()
    },
  }
}
