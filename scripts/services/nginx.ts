import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { delimiter, join, resolve } from 'node:path'
import { type GatewayOptions, renderGateway, renderProblems } from './nginx-config.ts'
import { asUser, giveTo, runningPid, stopProcess, waitFor } from './state.ts'

export { type GatewayOptions, type GatewayProblem, gatewayCodes } from './nginx-config.ts'

const user = 'www-data'

/** Starts a gateway in its own folder, in place of one that still runs there. Resolves when its ports accept. */
export async function startNginx(options: GatewayOptions): Promise<{ stop(): Promise<void>; directory: string }> {
  const directory = resolve(options.directory)
  const binary = findNginx()
  await stopNginx(directory)
  mkdirSync(join(directory, 'tmp'), { recursive: true })
  writeFileSync(join(directory, 'nginx.conf'), renderGateway(options))
  writeFileSync(join(directory, 'problems.conf'), renderProblems(options.problems))
  writeFileSync(join(directory, 'start.log'), '')
  giveTo(user, directory)
  const child = spawnNginx(binary, directory, options.detached)
  try {
    await untilReady(child, directory, portsOf(options))
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
  return { directory, stop: () => stopNginx(directory) }
}

/** Stops the gateway of that folder, if it runs. */
export async function stopNginx(directory: string): Promise<void> {
  const pid = runningPid(join(directory, 'nginx.pid'), `${resolve(directory)}/`)
  if (pid) await stopProcess(pid, 5_000)
  rmSync(join(directory, 'nginx.pid'), { force: true })
}

function findNginx(): string {
  // On Debian nginx lives in sbin, which the PATH of a normal user leaves out.
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  const found = folders.map((folder) => join(folder, 'nginx')).find((file) => existsSync(file))
  if (!found) throw new Error('nginx was not found. Run scripts/setup.')
  return found
}

function spawnNginx(binary: string, directory: string, detached: boolean): ChildProcess {
  const nginx = [binary, '-p', `${directory}/`, '-c', 'nginx.conf', '-e', 'error.log']
  // The kernel ends it when the caller dies, even by SIGKILL, so a crashed test leaves no gateway behind.
  const lifetime = detached ? [] : ['--pdeathsig', 'TERM']
  const [command = '', ...rest] = asUser(user, nginx, lifetime)
  const output = openSync(join(directory, 'start.log'), 'a')
  const child = spawn(command, rest, { cwd: '/', detached, stdio: ['ignore', output, output] })
  closeSync(output)
  child.unref()
  return child
}

const portsOf = ({ sites, ownerPage, desk }: GatewayOptions) => [...sites, ownerPage, desk].map(({ port }) => port)

async function untilReady(child: ChildProcess, directory: string, ports: number[]): Promise<void> {
  const log = join(directory, 'start.log')
  let ended = false
  child.once('error', () => {
    ended = true
  })
  child.once('exit', () => {
    ended = true
  })
  const isReady = async () => {
    // nginx writes its id only after all its ports are bound. A port alone could be somebody else's.
    if (ended || !runningPid(join(directory, 'nginx.pid'), `${directory}/`)) return ended
    return (await Promise.all(ports.map(accepts))).every(Boolean)
  }
  await waitFor(
    isReady,
    `nginx to listen on ${ports.join(', ')}. See ${log} and ${join(directory, 'error.log')}`,
    10_000,
  )
  if (ended) throw new Error(`nginx ended while starting in ${directory}: ${readFileSync(log, 'utf8').trim()}`)
}

function accepts(port: number): Promise<boolean> {
  return new Promise((answer) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', () => answer(false))
    socket.once('connect', () => {
      socket.destroy()
      answer(true)
    })
  })
}
