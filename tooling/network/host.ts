import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { promisify } from 'node:util'
import { asUser, isRunning, waitFor } from '../services/state.ts'

const run = promisify(execFile)

export const network = '10.79.0'
const bridge = 'cluster'

/** Creates the network that joins the hosts. This process is on it, with the address that ends in 9. */
export async function openNetwork(): Promise<void> {
  await run('ip', ['link', 'set', 'lo', 'up'])
  await run('ip', ['link', 'add', bridge, 'type', 'bridge'])
  await run('ip', ['addr', 'add', `${network}.9/24`, 'dev', bridge])
  await run('ip', ['link', 'set', bridge, 'up'])
}

export type Host = Awaited<ReturnType<typeof openHost>>
export type Command = {
  name: string
  command: string[]
  env?: NodeJS.ProcessEnv
  logFile: string
  /** `postgres` by default. */
  user?: string
}

const chains = {
  in: 'chain in { type filter hook input priority 0; iifname "eth0" drop; }\n',
  out: 'chain out { type filter hook output priority 0; oifname "eth0" drop; }\n',
} as const
const rules = { both: chains.in + chains.out, sending: chains.out } as const
export type Direction = keyof typeof rules

/** A host on the network: a namespace with its own address. */
export async function openHost(number: number) {
  const address = `${network}.${number}`
  // The namespace lives as long as this process.
  const holder = spawn('unshare', ['--net', 'setpriv', '--pdeathsig', 'KILL', 'sleep', 'infinity'], { stdio: 'ignore' })
  await once(holder, 'spawn')
  const pid = Number(holder.pid)
  const namespaceOf = (id: number | 'self') => readlinkSync(`/proc/${id}/ns/net`)
  await waitFor(async () => namespaceOf(pid) !== namespaceOf('self'), `host ${number} to have its own network`)
  const enter = ['nsenter', `--net=/proc/${pid}/ns/net`]
  const inside = (...args: string[]) => run('nsenter', [...enter.slice(1), ...args])
  const cable = `host${number}`
  await run('ip', ['link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', String(pid)])
  await run('ip', ['link', 'set', cable, 'master', bridge, 'up'])
  await inside('ip', 'link', 'set', 'lo', 'up')
  await inside('ip', 'addr', 'add', `${address}/24`, 'dev', 'eth0')
  await inside('ip', 'link', 'set', 'eth0', 'up')

  /** The processes of this host, however they were started. */
  const pids = (isWanted: (command: string) => boolean = () => true): number[] =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && Number(name) !== pid)
      .map(Number)
      .filter((id) => {
        try {
          return namespaceOf(id) === namespaceOf(pid) && isRunning(id) && isWanted(commandOf(id))
        } catch {
          // It has ended meanwhile.
          return false
        }
      })

  return {
    number,
    address,
    pids,
    start: ({ name, command, env = {}, logFile, user = 'postgres' }: Command): ChildProcess => {
      const log = openSync(logFile, 'a')
      const [program = '', ...args] = [...enter, ...(user === 'root' ? command : asUser(user, command))]
      const usual = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/nonexistent', LC_ALL: 'C.UTF-8' }
      const child = spawn(program, args, { cwd: '/', env: { ...usual, ...env }, stdio: ['ignore', log, log] })
      closeSync(log)
      child.on('error', (error) => console.error(`${name} of host ${number} did not start: ${error.message}`))
      return child
    },
    signal: (name: NodeJS.Signals, ids: readonly number[]) => {
      for (const id of ids) if (isRunning(id)) process.kill(id, name)
    },
    /** Drops all packets, or only those that this host sends. */
    cut: async (direction: Direction) => {
      const loading = inside('nft', '-f', '-')
      loading.child.stdin?.end(`table inet cut {\n${rules[direction]}}\n`)
      await loading
    },
    join: () => inside('nft', 'delete', 'table', 'inet', 'cut'),
    /** Ends the host and everything on it. */
    close: async () => {
      const end = async () => {
        for (const id of pids()) if (isRunning(id)) process.kill(id, 'SIGKILL')
        return pids().length === 0
      }
      await waitFor(end, `the processes of host ${number} to end`)
      holder.kill('SIGKILL')
    },
  }
}

const commandOf = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
