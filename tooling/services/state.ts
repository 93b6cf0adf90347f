import { spawnSync } from 'node:child_process'
import { createHash, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export const repoDir = resolve(import.meta.dirname, '../..')

export const isRoot = process.getuid?.() === 0

/** The users that run the services when the caller is root. */
const serviceUsers = ['postgres', 'www-data']

/** The folder for data, ports and process ids of the local services; created if missing. */
export function stateDir(): string {
  found ??= findStateDir()
  return found
}

/** Cached: checking whether each service user can access the folder starts a process per user. */
let found: string | undefined

function findStateDir(): string {
  const wanted = resolve(process.env['BROADSIDE_STATE_DIR'] || join(repoDir, '.broadside'))
  const reachable = !isRoot || serviceUsers.every((user) => canTraverse(user, nearestExisting(wanted)))
  return makeFolder(reachable ? wanted : sharedDir())
}

// The service users cannot access a clone inside a private home folder.
function sharedDir(): string {
  const directory = `/var/tmp/broadside-${createHash('sha256').update(repoDir).digest('hex').slice(0, 8)}`
  const found = lstatSync(directory, { throwIfNoEntry: false })
  // Anyone can create names in /var/tmp, so a folder that another user created cannot be trusted.
  if (found && (!found.isDirectory() || found.uid !== process.getuid?.())) {
    throw new Error(`${directory} belongs to another user. Set BROADSIDE_STATE_DIR to a folder that you own.`)
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

/** Wraps a command so that it runs as the given user. Only root can switch users; others run it as themselves. */
export function asUser(user: string, command: string[], options: string[] = []): string[] {
  const flags = isRoot ? [`--reuid=${user}`, `--regid=${user}`, '--init-groups', ...options] : options
  return flags.length > 0 ? ['setpriv', ...flags, ...command] : command
}

/** Makes that user the owner of the path and everything below it, if the caller is root. */
export function giveTo(user: string, path: string): void {
  if (!isRoot) return
  const { status, stderr } = spawnSync('chown', ['-R', `${user}:`, path], { encoding: 'utf8' })
  if (status !== 0)
    throw new Error(
      `Cannot change the owner of ${path} to ${user}: ${stderr} If ${user} does not exist, run scripts/setup.`,
    )
}

/** A free port on 127.0.0.1: the preferred one, or one that the kernel picks. */
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
 * Below the kernel's range for outgoing connections, because a process binds its port about a second after it was
 * picked. The port stays reserved until this process ends.
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
 * How long to wait for something that takes seconds on an idle machine. This is a limit for giving up, not for speed: a
 * busy machine can take a hundred times as long.
 */
export const patienceMs = 480_000

/** Polls until the check succeeds. `what` names what is awaited and where to look if it does not happen. */
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

/** Runs the work while holding a machine-wide lock with that name. */
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

/** Whether the process is alive. A zombie counts as dead: a slow init process can keep it visible for minutes. */
export function isRunning(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.charAt(stat.lastIndexOf(')') + 2) !== 'Z'
  } catch {
    return false
  }
}

/** The live process whose id is in the first line of the file, if its command line contains the given text. */
export function runningPid(file: string, mentions: string): number | undefined {
  try {
    const pid = Number.parseInt(readFileSync(file, 'utf8'), 10)
    // After a reboot the id may belong to another process, so the command line decides. A zombie's command line is
    // empty.
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(mentions) ? pid : undefined
  } catch {
    return undefined
  }
}

/** Ends a process with SIGTERM and, after a grace period, with SIGKILL. */
export async function stopProcess(pid: number, graceMs = patienceMs): Promise<void> {
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
