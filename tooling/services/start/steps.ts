import { readFileSync } from 'node:fs'
import { CommandError } from '../../../src/bin/command.ts'

type StepOptions<Result> = {
  /** What the finished step says; its name by default. */
  done?: (result: Result) => string
  /** The log of what it starts. Its last lines are printed if the step fails. */
  log?: string
  /** The same for a program without a log file. */
  lastLines?: () => string[]
}
/** A step says what it waits for when it takes long. */
type Work<Result> = (waitFor: (what: string) => void) => Promise<Result>
export type Steps = {
  run: <Result>(name: string, work: Work<Result>, options?: StepOptions<Result>) => Promise<Result>
  /** Seconds since the first step. */
  seconds: () => string
}

/** A step failed. The message says which, why, what its log says and what to do, so no stack trace is needed. */
class StepFailed extends CommandError {}

/** While a step takes longer than this, its state is printed again and again. */
const reportEveryMs = 10_000
const shownLines = 15

/** Prints each step of a start with its seconds. Never gives up on a slow one, and says what it is waiting for. */
export function openSteps(): Steps {
  const startedAt = performance.now()
  const since = (from: number) => ((performance.now() - from) / 1_000).toFixed(1)
  return {
    seconds: () => since(startedAt),
    async run(name, work, { done, log, lastLines } = {}) {
      const from = performance.now()
      let awaited = name
      const report = setInterval(() => console.log(`… still waiting for ${awaited} (${since(from)} s)`), reportEveryMs)
      try {
        const result = await work((what) => {
          awaited = what
        })
        console.log(`✓ ${done?.(result) ?? name} (${since(from)} s)`)
        return result
      } catch (error) {
        if (error instanceof StepFailed || isAbort(error)) throw error
        const lines = lastLines?.() ?? tailOf(log)
        throw new StepFailed(describe({ name, error: error as Error, seconds: since(from), log, lines }), {
          cause: error,
        })
      } finally {
        clearInterval(report)
      }
    },
  }
}

const isAbort = (error: unknown) => (error as Error | undefined)?.name === 'AbortError'

type Failure = { name: string; error: Error; seconds: string; log: string | undefined; lines: string[] }

function describe({ name, error, seconds, log, lines }: Failure): string {
  const reasons = reasonsOf(error)
  const shown = lines.slice(-shownLines)
  return [
    `✗ ${name} failed after ${seconds} s: ${reasons.join(' ')}`,
    ...(shown.length > 0 ? [`\nThe last lines of ${log ?? 'its log'}:`, ...shown.map((line) => `  ${line}`)] : []),
    `\nWhat to do: ${adviceFor([...reasons, ...shown].join('\n'))}`,
  ].join('\n')
}

/** An error and what caused it. Errors of several addresses have their texts inside. */
function reasonsOf(error: unknown): string[] {
  if (!(error instanceof Error)) return error === undefined ? [] : [String(error)]
  const inner = error instanceof AggregateError ? error.errors.flatMap(reasonsOf).slice(0, 1) : []
  const own = error.message === '' ? [] : [/[.!?]$/.test(error.message) ? error.message : `${error.message}.`]
  return [...own, ...inner, ...reasonsOf(error.cause)]
}

const advice: readonly (readonly [RegExp, string])[] = [
  [
    /EADDRINUSE|address already in use|is in use by another program/i,
    'stop the program that uses this port; `ss -ltnp` lists the programs.',
  ],
  [/was not found|ENOENT|command not found/i, 'run scripts/setup, which installs what is missing, and start again.'],
  [
    /ECONNREFUSED.*|connection refused/i,
    'check that the server at this address runs; without DATABASE_URL, the project starts its own.',
  ],
  [
    /password authentication|other passwords/i,
    'set DATABASE_URL to another server, or unset it to use the project’s own.',
  ],
  [/ENOSPC|no space left/i, 'free some disk space and start again.'],
  [
    /EACCES|permission denied/i,
    'give this user access to the file, or set BROADSIDE_STATE_DIR to a folder of your own.',
  ],
  [/Cannot find (?:package|module)|ERR_MODULE_NOT_FOUND/, 'run `npm ci`, or correct the import if it is yours.'],
]

const adviceFor = (text: string) =>
  advice.find(([pattern]) => pattern.test(text))?.[1] ?? 'correct the reported error and start again.'

function tailOf(log: string | undefined): string[] {
  if (log === undefined) return []
  try {
    return readFileSync(log, 'utf8').trimEnd().split('\n').filter(Boolean).slice(-shownLines)
  } catch {
    return []
  }
}
