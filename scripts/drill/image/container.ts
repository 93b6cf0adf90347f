import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../../tooling/shell.ts'
import type { ImageConfig } from '../../release/image/build.ts'
import { type Service, volumePath } from './compose.ts'
import type { Network } from './network.ts'

export type Started = {
  service: Service
  child: ChildProcess
  log: string
  /** False for a stand-in, which runs without one. */
  isContainer: boolean
  /** Resolves with the exit code. */
  ended: Promise<number | null>
}

export type Place = {
  folder: string
  logs: string
  root: string
  config: ImageConfig
  network: Network
  secretsFolder: string
}

/** What systemd-nspawn gets for a service: the same restrictions that Docker would apply, where it has them. */
export function nspawnArguments(service: Service, place: Place, command: readonly string[]): string[] {
  const { folder, root, config, network, secretsFolder } = place
  const environment = { ...Object.fromEntries(config.Env.map(split)), ...service.environment }
  return [
    ...['--quiet', `--directory=${root}`, `--machine=bsimage-${service.name}`, '--register=no', '--keep-unit'],
    ...['--as-pid2', '--console=pipe', '--resolv-conf=off', '--timezone=off', '--link-journal=no'],
    ...[`--network-namespace-path=/run/netns/${network.namespaceOf(service.name)}`, `--chdir=${config.WorkingDir}`],
    // nspawn looks the user up by name; the image has the same id in its configuration, which the drill checks.
    '--user=broadside',
    ...(service.isReadOnly ? ['--read-only'] : []),
    ...(service.dropsCapabilities ? ['--drop-capability=all'] : []),
    ...(service.hasNoNewPrivileges ? ['--no-new-privileges=yes'] : []),
    ...service.tmpfs.map((path) => `--tmpfs=${path}:mode=1777`),
    ...service.secrets.map((name) => `--bind-ro=${join(secretsFolder, name)}:/run/secrets/${name}`),
    ...service.volumes.map(
      ({ source, target, isReadOnly }) => `--bind${isReadOnly ? '-ro' : ''}=${volumePath(folder, source)}:${target}`,
    ),
    `--bind-ro=${network.hostsFileOf(service.name)}:/etc/hosts`,
    ...Object.entries(environment).map(([name, value]) => `--setenv=${name}=${value}`),
    '--',
    ...command,
  ]
}

const split = (pair: string): [string, string] => {
  const at = pair.indexOf('=')
  return [pair.slice(0, at), pair.slice(at + 1)]
}

/** Starts a container of the image. Its output goes to a file. */
export function startContainer(service: Service, place: Place): Started {
  const command = [...(service.entrypoint ?? place.config.Entrypoint), ...service.command]
  const started = startProgram(service, place, ['systemd-nspawn', ...nspawnArguments(service, place, command)])
  return { ...started, isContainer: true }
}

export function startProgram(service: Service, place: Pick<Place, 'logs'>, command: readonly string[]): Started {
  const log = join(place.logs, `${service.name}.log`)
  // nginx opens its standard error again, as the user of the container.
  const output = openSync(log, 'a', 0o666)
  chmodSync(log, 0o666)
  const [program = '', ...args] = command
  const child = spawn(program, args, { stdio: ['ignore', output, output] })
  closeSync(output)
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  return { service, child, log, ended, isContainer: false }
}

/** Runs a command once in a container of its own, as `docker compose run --rm` does, and returns what it printed. */
export async function runContainer(service: Service, place: Place, command: readonly string[]): Promise<string> {
  return await run('systemd-nspawn', nspawnArguments(service, place, [...place.config.Entrypoint, ...command]))
}

/** Runs a program inside a running container, as a health check does. */
export async function execIn(started: Started, place: Place, command: readonly string[]): Promise<string> {
  const environment = [
    ...place.config.Env,
    ...Object.entries(started.service.environment).map((pair) => pair.join('=')),
  ]
  const namespaces = ['--mount', '--uts', '--ipc', '--net', '--pid', '--root', `--wdns=${place.config.WorkingDir}`]
  const asUser = ['--setuid=10001', '--setgid=10001', 'env', '-i', ...environment]
  return await run('nsenter', ['--target', String(programOf(started)), ...namespaces, ...asUser, ...command])
}

/** The service itself: nspawn starts the container’s first process, and that one starts the service. */
export function programOf({ child, service, isContainer }: Started): number {
  if (!isContainer) return child.pid ?? 0
  const first = childOf(child.pid ?? 0)
  const program = first && childOf(first)
  if (!program) throw new Error(`The container ${service.name} does not run.`)
  return program
}

function childOf(pid: number): number | undefined {
  try {
    return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0]) || undefined
  } catch {
    return undefined
  }
}

/** Sends the stop signal to the service itself. False if the container had to be killed after its grace period. */
export async function stopContainer(started: Started): Promise<boolean> {
  let endedInTime = true
  const kill = () => {
    endedInTime = false
    started.child.kill('SIGKILL')
  }
  if (hasEnded(started)) return endedInTime
  try {
    process.kill(programOf(started), started.service.stopSignal)
  } catch {
    kill()
  }
  const late = setTimeout(kill, started.service.graceSeconds * 1_000)
  await started.ended
  clearTimeout(late)
  return endedInTime
}

export const hasEnded = ({ child }: Started) => child.exitCode !== null || child.signalCode !== null
