import { spawnSync } from 'node:child_process'
import { createHash, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export const repoDir = resolve(import.meta.dirname, '../..')

export const isRoot = process.getuid?.() === 0

/** The users that the services run as when the caller is root. */
const serviceUsers = ['postgres', 'www-data']

/** The folder for data, ports and process ids of the local services; made when it is missing. */
export function stateDir(): string {
  found ??= findStateDir()
  return found
}

/** Found once: to ask whether the users of the services can go in takes a process for each of them. */
let found: string | undefined

function findStateDir(): string {
  const wanted = resolve(process.env['BROADSIDE_STATE_DIR'] || join(repoDir, '.broadside'))
  const reachable = !isRoot || serviceUsers.every((user) => canTraverse(user, nearestExisting(wanted)))
  return makeFolder(reachable ? wanted : sharedDir())
}

// A clone inside a closed home folder is out of reach for the service users.
function sharedDir(): string {
  const directory = `/var/tmp/broadside-${createHash('sha256').update(repoDir).digest('hex').slice(0, 8)}`
  const found = lstatSync(directory, { throwIfNoEntry: false })
  // Anyone may create names in /var/tmp, so a folder made by somebody else is not ours to trust.
  if (found && (!found.isDirectory() || found.uid !== process.getuid?.())) {
    throw new Error(`${directory} belongs to another user. Set BROADSIDE_STATE_DIR to a folder of your own.`)
  }
  return directory
}

function makeFolder(directory: string): string {
  if (!existsSync(directory)) {
    mkdirSync(directory, { recursive: true })
    chmodSync(directory, 0o755)
  }
  return directory
}

function nearestExisting(path: string): string {
  return existsSync(path) ? path : nearestExisting(dirname(path))
}

function canTraverse(user: string, directory: string): boolean {
  if (spawnSync('id', ['-u', user]).status !== 0) return true
  const [command = '', ...args] = asUser(user, ['test', '-x', directory])
  return spawnSync(command, args, { cwd: '/' }).status === 0
}

/** The command that runs the given one as that user. Only root can change users; others run it as themselves. */
export function asUser(user: string, command: string[], options: string[] = []): string[] {
  const flags = isRoot ? [`--reuid=${user}`, `--regid=${user}`, '--init-groups', ...options] : options
  return flags.length > 0 ? ['setpriv', ...flags, ...command] : command
}

/** Makes that user the owner of the path and of all below it, when the caller is root. */
export function giveTo(user: string, path: string): void {
  if (!isRoot) return
  const { status, stderr } = spawnSync('chown', ['-R', `${user}:`, path], { encoding: 'utf8' })
  if (status !== 0)
    throw new Error(`${path} cannot be given to ${user}: ${stderr} Is ${user} missing? Run scripts/setup.`)
}

/** A port of 127.0.0.1 that nobody listens on: the preferred one, or else one the kernel picks. */
export async function freePort(preferred = 0): Promise<number> {
  const server = createServer()
  try {
    server.listen(preferred, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    server.close()
    await once(server, 'close')
    return port
  } catch (error) {
    if (preferred === 0) throw error
    return freePort()
  }
}

/**
 * Below the range that the kernel gives to outgoing connections: a process takes its port a second after it was found.
 * Until this process ends, nobody else is given the same.
 */
export async function quietPort(): Promise<number> {
  const port = randomInt(20_000, 30_000)
  return (await freePort(port)) === port && (await claim(`port-${port}`)) ? port : quietPort()
}

/** An abstract socket (Linux) vanishes with its process, so a crash leaves no stale claim behind. */
async function claim(name: string): Promise<Server | null> {
  const socket = createServer().unref()
  try {
    socket.listen(`\0broadside-${name}`)
    await once(socket, 'listening')
    return socket
  } catch {
    return null
  }
}

/**
 * How long to wait for something that takes seconds on a quiet machine. It decides when to give up, not what is fast
 * enough: a machine with other work to do can take twenty times as long.
 */
export const patienceMs = 180_000

/** Polls until the check holds. `what` names the thing awaited and where to look when it does not come. */
export async function waitFor(
  check: () => Promise<boolean>,
  what: string,
  timeoutMs: number = patienceMs,
): Promise<void> {
  const deadline = performance.now() + timeoutMs
  let cause: unknown
  while (true) {
    try {
      if (await check()) return
      cause = undefined
    } catch (error) {
      cause = error
    }
    if (performance.now() >= deadline) throw new Error(`Waited ${timeoutMs / 1000} s for ${what}`, { cause })
    await sleep(25)
  }
}

/** Runs the work while no other process of this machine holds the lock of that name. */
export async function withLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 16)
  let lock: Server | null = null
  const take = async () => {
    lock = await claim(`lock-${hash}`)
    return lock !== null
  }
  await waitFor(take, `the lock ${name}, which another process holds`)
  try {
    return await work()
  } finally {
    const held = lock as Server | null
    held?.close()
  }
}

/** Whether the process is alive. A zombie is dead: an init that reaps late keeps it visible for minutes. */
export function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.charAt(stat.lastIndexOf(')') + 2) !== 'Z'
  } catch {
    return false
  }
}

/** The live process whose id is the first line of the file, if its command line mentions the given text. */
export function runningPid(file: string, mentions: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(file, 'utf8'), 10)
    // After a reboot the number may belong to a stranger, so the command line decides. That of a zombie is empty.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(mentions) ? pid : undefined
  } catch {
    return undefined
  }
}

/** Ends a process: asks with SIGTERM, and after the grace insists with SIGKILL. */
export async function stopProcess(pid: number, graceMs = 60_000): Promise<void> {
  const isGone = async () => !isRunning(pid)
  sendSignal(pid, 'SIGTERM')
  try {
    await waitFor(isGone, `process ${pid} to end`, graceMs)
  } catch {
    sendSignal(pid, 'SIGKILL')
    await waitFor(isGone, `process ${pid} to end after SIGKILL; see /proc/${pid}/status`)
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
