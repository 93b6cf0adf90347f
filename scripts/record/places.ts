import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { repoDir } from '../../tooling/services/state.ts'
import { newMachine } from '../drill/machine.ts'

/** Where a reader's shell runs commands in a fresh clone. */
export type Place = AsyncDisposable & {
  /** Runs a command and passes its output to `onLine`. Returns the exit code. */
  shell: (command: string, onLine: (line: string) => void) => Promise<number>
}

/** A fresh clone of the last commit on this machine. */
export function openClone(): Place {
  // The services run as users that cannot enter a private folder.
  const folder = mkdtempSync('/var/tmp/broadside-record-')
  const cwd = join(folder, 'broadside')
  execFileSync('chmod', ['755', folder])
  clone(cwd)
  return {
    shell: async (command, onLine) => {
      const child = spawn('bash', ['-c', `${command} 2>&1`], {
        cwd,
        env: readersEnvironment(),
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const ended = once(child, 'close')
      createInterface({ input: child.stdout }).on('line', onLine)
      const [code] = await ended
      return Number(code)
    },
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** An empty Debian 12 with a fresh clone in the home of root, and the Node and npm of this machine. */
export async function openMachine(): Promise<Place> {
  const machine = await newMachine('record')
  const target = join(machine.root, 'root/broadside')
  try {
    clone(target)
    bringNode(machine.root)
    await machine.boot()
    await machine.shell('update-ca-certificates', () => undefined)
  } catch (error) {
    await machine[Symbol.asyncDispose]()
    throw error
  }
  return {
    shell: (command, onLine) => machine.shell(`cd ~/broadside && ${command} 2>&1`, onLine),
    [Symbol.asyncDispose]: () => machine[Symbol.asyncDispose](),
  }
}

function clone(target: string): void {
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', repoDir, target])
}

/** As the packages of nodejs.org place them. */
function bringNode(root: string): void {
  const path = readersPath()
  const find = (program: string) => execFileSync('which', [program], { encoding: 'utf8', env: { PATH: path } }).trim()
  const npm = execFileSync('npm', ['root', '--global'], {
    encoding: 'utf8',
    env: { ...process.env, PATH: path },
  }).trim()
  cpSync(find('node'), join(root, 'usr/bin/node'), { dereference: true })
  cpSync(join(npm, 'npm'), join(root, 'usr/lib/node_modules/npm'), { recursive: true })
  for (const name of ['npm', 'npx'])
    symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(root, 'usr/bin', name))
}

/** Without what npm added for this script: the reader's own Node, and no settings of this checkout. */
function readersEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(?:npm_|BROADSIDE_|NODE$|NODE_ENV$|INIT_CWD$)/i.test(name),
  )
  return { ...Object.fromEntries(own), PATH: readersPath() }
}

const readersPath = () =>
  (process.env['PATH'] ?? '')
    .split(':')
    .filter((part) => !part.includes('node_modules') && !part.includes('node-gyp-bin'))
    .join(':')
