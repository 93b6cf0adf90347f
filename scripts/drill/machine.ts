import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { debianMirror, debianSources } from '../../tooling/debian.ts'
import { isRoot, isRunning, stateDir, waitFor } from '../../tooling/services/state.ts'

const packages = ['debootstrap', 'systemd-container', 'nftables', 'iproute2', 'openssl']
const programs = ['debootstrap', 'systemd-nspawn', 'nft', 'ip', 'openssl']

const run = (program: string, ...args: string[]) =>
  execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 2 ** 26 })

export type Machine = Awaited<ReturnType<typeof newMachine>>

/** An empty Debian 12 with systemd, in a container with a network of its own. Removed when it leaves scope. */
export async function newMachine(label: string) {
  if (!isRoot) throw new Error('A drill needs root: it makes a machine with systemd-nspawn.')
  installPrograms()
  const base = debianBase()
  const folder = mkdtempSync('/var/tmp/broadside-drill-')
  const root = join(folder, 'root')
  run('cp', '-a', '--reflink=auto', base, root)
  const network = openNetwork(`${label}${process.pid}`)
  bringHostSettings(root)
  let booted: Booted | undefined
  const boot = async () => {
    booted = await start(root, network.namespace)
  }
  const stop = async () => {
    if (booted) await shutDown(booted)
    booted = undefined
  }
  return {
    root,
    namespace: network.namespace,
    boot,
    stop,
    /** Runs a shell script in the machine and passes its output to `onLine`. Returns the exit code, or 124 if it hangs. */
    shell: (script: string, onLine: (line: string) => void) => shellIn(booted, script, onLine),
    enterCommand: () => `nsenter -t ${booted?.leader} -a bash`,
    [Symbol.asyncDispose]: async () => {
      await stop()
      removeCgroups(network.namespace)
      network.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function installPrograms(): void {
  const isThere = (program: string) =>
    ['/usr/sbin', '/usr/bin', '/sbin', '/bin'].some((at) => existsSync(join(at, program)))
  if (programs.every(isThere)) return
  // Another program may be installing packages.
  const wait = ['-o', 'DPkg::Lock::Timeout=600']
  run('apt-get', 'update', '-qq', ...wait)
  run('apt-get', 'install', '-y', '-qq', '--no-install-recommends', ...wait, ...packages)
}

/** Made once and copied for each drill: it takes minutes. */
function debianBase(): string {
  const base = join(stateDir(), 'drill', 'debian-12')
  if (existsSync(base)) return base
  const draft = `${base}.draft`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(join(stateDir(), 'drill'), { recursive: true })
  const include = '--include=systemd,systemd-sysv,dbus,ca-certificates'
  run('debootstrap', '--variant=minbase', include, 'bookworm', draft, ...debianMirror())
  renameSync(draft, base)
  return base
}

/** The way to the registries as this machine has it: name servers, package sources, certificates and npm's registry. */
function bringHostSettings(root: string): void {
  cpSync('/etc/resolv.conf', join(root, 'etc/resolv.conf'), { dereference: true })
  if (existsSync(debianSources)) {
    cpSync(debianSources, join(root, debianSources))
    writeFileSync(join(root, 'etc/apt/sources.list'), '')
  }
  const own = '/usr/local/share/ca-certificates'
  for (const file of existsSync(own) ? readdirSync(own) : []) cpSync(join(own, file), join(root, own, file))
  const registry = run('npm', 'config', 'get', 'registry', '--no-workspaces').trim()
  // Of the user: each npm reads its global settings from another place.
  writeFileSync(join(root, 'root/.npmrc'), `registry=${registry}\ncafile=/etc/ssl/certs/ca-certificates.crt\n`)
  rmSync(join(root, 'etc/machine-id'), { force: true })
  writeFileSync(join(root, 'etc/machine-id'), '')
}

function openNetwork(namespace: string) {
  const [outer, table] = [`v${process.pid}`, `broadside_${namespace}`]
  const forwarding = '/proc/sys/net/ipv4/ip_forward'
  const before = readFileSync(forwarding, 'utf8')
  removeOldDevices()
  run('ip', 'netns', 'add', namespace)
  run('ip', 'link', 'add', outer, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', namespace)
  run('ip', 'addr', 'add', '10.99.78.1/30', 'dev', outer)
  run('ip', 'link', 'set', outer, 'up')
  run('ip', '-n', namespace, 'addr', 'add', '10.99.78.2/30', 'dev', 'eth0')
  for (const device of ['lo', 'eth0']) run('ip', '-n', namespace, 'link', 'set', device, 'up')
  run('ip', '-n', namespace, 'route', 'add', 'default', 'via', '10.99.78.1')
  run('nft', `add table ip ${table}; add chain ip ${table} out { type nat hook postrouting priority 100; }`)
  run('nft', `add rule ip ${table} out ip saddr 10.99.78.0/30 masquerade`)
  writeFileSync(forwarding, '1')
  const close = () => {
    run('nft', `delete table ip ${table}`)
    run('ip', 'netns', 'del', namespace)
    writeFileSync(forwarding, before)
  }
  return { namespace, close }
}

const hierarchies = ['/sys/fs/cgroup/systemd', '/sys/fs/cgroup/unified']

/** The kernel removes only empty ones, so those inside come first. */
function removeCgroups(name: string): void {
  for (const folder of hierarchies.map((hierarchy) => join(hierarchy, name)))
    if (existsSync(folder)) run('find', folder, '-depth', '-type', 'd', '-exec', 'rmdir', '{}', ';')
}

/** A drill that was killed leaves its device, which has the same address. */
function removeOldDevices(): void {
  for (const device of readdirSync('/sys/class/net')) {
    const pid = Number(/^v(\d+)$/.exec(device)?.[1])
    if (pid && !isRunning(pid)) run('ip', 'link', 'del', device)
  }
}

type Booted = { nspawn: ChildProcess; leader: number }

/** Boots the machine's own systemd. It gets cgroups of its own: otherwise it would take this machine's for its own. */
async function start(root: string, namespace: string): Promise<Booted> {
  const join = `for h in ${hierarchies.join(' ')}; do
    [ -d $h ] && mkdir -p $h/${namespace} && echo $$ > $h/${namespace}/cgroup.procs; done
    exec "$@"`
  const options = ['--register=no', '--keep-unit', `--machine=${namespace}`, '--resolv-conf=off', '--link-journal=no']
  const place = ['-D', root, `--network-namespace-path=/run/netns/${namespace}`, '--console=pipe']
  const nspawn = spawn('sh', ['-c', join, 'sh', 'systemd-nspawn', '--quiet', '--boot', ...place, ...options], {
    stdio: 'ignore',
  })
  let leader = 0
  await waitFor(async () => {
    if (nspawn.exitCode !== null) throw new Error('systemd-nspawn ended. Run it by hand to see why.')
    leader = childOf(Number(nspawn.pid))
    return leader > 0 && isBooted(leader)
  }, 'the machine to boot')
  return { nspawn, leader }
}

function childOf(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return Number(children.split(' ')[0] || 0)
}

function isBooted(leader: number): boolean {
  try {
    run('nsenter', '-t', String(leader), '-a', 'systemctl', 'is-active', '--quiet', 'multi-user.target')
    return true
  } catch {
    return false
  }
}

async function shutDown({ nspawn, leader }: Booted): Promise<void> {
  const ended = once(nspawn, 'exit')
  if (nspawn.exitCode !== null) return
  try {
    run('nsenter', '-t', String(leader), '-a', 'systemctl', 'poweroff')
  } catch {
    // The connection ends with the machine.
  }
  const waiting = setTimeout(() => process.kill(leader, 'SIGKILL'), longestShutdownMs)
  await ended
  clearTimeout(waiting)
}

const longestShutdownMs = 120_000

/** A script waits for what may never come, and a busy machine takes many times as long as an idle one. */
const longestScriptMinutes = 40

async function shellIn(booted: Booted | undefined, script: string, onLine: (line: string) => void): Promise<number> {
  if (!booted) throw new Error('The machine is not running.')
  const environment = ['HOME=/root', 'LANG=C.UTF-8', 'DEBIAN_FRONTEND=noninteractive', `PATH=${rootPath}`]
  const trust = 'NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt'
  const enter = ['-t', String(booted.leader), '-a', '--wdns=/root', 'env', '-i', ...environment, trust]
  // As an argument: on standard input, a command of the script could read the rest of the script.
  const bounded = ['timeout', `${longestScriptMinutes}m`, 'bash', '-c', script]
  const child = spawn('nsenter', [...enter, ...bounded], { stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [child.stdout, child.stderr]) {
    let rest = ''
    stream.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) onLine(line)
    })
  }
  const done = new AbortController()
  // Without it, Ctrl-C would end this process and leave the machine running.
  const interrupted = once(process, 'SIGINT', done).then(() => Promise.reject(new Error('Interrupted.')))
  try {
    const [code] = (await Promise.race([once(child, 'close'), interrupted])) as [number]
    return code
  } finally {
    interrupted.catch(() => undefined)
    done.abort()
    // A stopped machine waits for its processes, so an interrupted one must not stay.
    child.kill('SIGKILL')
  }
}

const rootPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
