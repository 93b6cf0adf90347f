import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { program } from '../../../tooling/environment/processes.ts'
import { answers } from '../../../tooling/services/stack.ts'
import { isRunning, stateDir, stopProcess, waitFor } from '../../../tooling/services/state.ts'

type Plan = {
  /** Also the name of its log file. */
  name: string
  command: string
  /** The file of the program; this checkout's by default. */
  program?: string | undefined
  settings: NodeJS.ProcessEnv
  /** The URL that responds with success when the process is ready. */
  readyUrl: string
  logFolder: string
}

/** A process that exits this often without becoming ready will not start. */
const hopelessDeaths = 3

export type Kept = ReturnType<typeof keepProcess>

/** A real process of the program that restarts whenever it exits; stopped when it leaves scope. */
export function keepProcess(given: Plan) {
  let plan = given
  const deaths: string[] = []
  let isStopping = false
  let life = begin(plan)
  let untilRestart = Promise.resolve()
  const keeping = (async () => {
    while (true) {
      const cause = await life.ended
      if (isStopping) return
      if (!life.wasKilled()) {
        deaths.push(`${plan.name} exited unexpectedly (${cause})`)
        // Delays restarts, so that a process that cannot start does not use up the CPU.
        await sleep(500)
      }
      await untilRestart
      life = begin(plan)
    }
  })()
  return {
    name: plan.name,
    command: plan.command,
    readyUrl: plan.readyUrl,
    /** The exits that `kill` did not cause. */
    deaths,
    pid: () => life.pid,
    isUp: () => life.isUp(),
    untilUp: async () => {
      const isUpOrHopeless = async () => life.isUp() || deaths.length >= hopelessDeaths
      await waitFor(isUpOrHopeless, `${plan.name} to be ready. See ${plan.logFolder}`)
      if (!life.isUp()) throw new Error(`${deaths.at(-1)}, ${deaths.length} times. See ${plan.logFolder}`)
    },
    /** Kills the process with SIGKILL. Its successor starts immediately, or once the given promise resolves. */
    kill: async (restartAfter: Promise<void> = Promise.resolve()) => {
      const killed = life
      untilRestart = restartAfter
      killed.kill()
      await killed.ended
    },
    /** Ends the process with SIGTERM, as a service manager does, and starts another version of the program. */
    replace: async (other: string) => {
      plan = { ...plan, program: other }
      await life.end()
    },
    /** Stops the process with SIGSTOP for this long. */
    pause: (durationMs: number) => pausePids([life.pid], sleep(durationMs)),
    pauseUntil: (end: Promise<void>) => pausePids([life.pid], end),
    [Symbol.asyncDispose]: async () => {
      isStopping = true
      await life.stop()
      await keeping
    },
  }
}

/** Stops these processes until the promise resolves. They continue even if this program fails meanwhile. */
export async function pausePids(pids: readonly number[], end: Promise<void>): Promise<void> {
  const signal = (name: NodeJS.Signals) => {
    for (const pid of pids) if (isRunning(pid)) process.kill(pid, name)
  }
  signal('SIGSTOP')
  try {
    await end
  } finally {
    signal('SIGCONT')
  }
}

/** One process, from start to exit. It dies with this program, even if that is killed. */
function begin({ name, command, settings, readyUrl, logFolder, program: file = program }: Plan) {
  const log = openSync(join(logFolder, `${name}.log`), 'a')
  const env = { PATH: process.env['PATH'], NODE_COMPILE_CACHE: join(stateDir(), 'compile-cache'), ...settings }
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', process.execPath, file, command], {
    env,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  let isUp = false
  let wasKilled = false
  let isAlive = true
  const ended = once(child, 'exit').then(([code, signal]) => {
    isAlive = false
    isUp = false
    return signal ? `by ${signal}` : `with code ${code}`
  })
  const watching = (async () => {
    while (isAlive && !isUp) {
      const answered = await answers(readyUrl).catch(() => false)
      isUp = answered && isAlive
      await sleep(25)
    }
  })()
  return {
    pid: Number(child.pid),
    ended,
    isUp: () => isUp,
    wasKilled: () => wasKilled,
    kill: () => {
      wasKilled = true
      isUp = false
      child.kill('SIGKILL')
    },
    end: async () => {
      wasKilled = true
      isUp = false
      await stopProcess(Number(child.pid))
      await ended
    },
    stop: async () => {
      if (isAlive) await stopProcess(Number(child.pid))
      await ended
      await watching
    },
  }
}
