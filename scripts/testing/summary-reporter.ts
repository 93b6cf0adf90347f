import { relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { repoDir } from '../../tooling/services/state.ts'
import { repeatCommands } from './repeat-commands.ts'

/** How many tests and files the list of the slowest has; 0 prints no list. Set by scripts/test.ts. */
const slowestCount = Number(process.env['BROADSIDE_SLOWEST_TESTS'] ?? 0)

type Timed = { name: string; file: string; seconds: number }
type Failed = { name: string; file: string; error: unknown }

/** Prints, after the results, the command that repeats each failed test, and the slowest tests and files. */
export default async function* summaryReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const tests: Timed[] = []
  const files: Timed[] = []
  const failed: Failed[] = []
  /** The names of the suites around the test that is being reported. */
  const names: string[] = []
  for await (const { type, data } of events) {
    if (type === 'test:start') names.splice(data.nesting, names.length, data.name)
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const file = names.slice(0, data.nesting + 1).find(isTestFile) ?? inRepository(data.file ?? '')
    const seconds = data.details.duration_ms / 1_000
    if (isTestFile(data.name)) files.push({ name: data.name, file, seconds })
    else if (data.details.type !== 'suite') tests.push({ name: data.name, file, seconds })
    if (type === 'test:fail' && !failsThroughOthers(data.details.error)) {
      failed.push({ name: data.name, file, error: data.details.error })
    }
  }
  if (failed.length > 0) yield `\nTo repeat what failed:\n${failed.flatMap(repeatCommands).map(indent).join('')}`
  if (slowestCount === 0) return
  yield `\nThe slowest tests:\n${slowest(tests)
    .map(({ name, file, seconds }) => indent(`${inTenths(seconds)}  ${name} (${file})`))
    .join('')}`
  const perFile = files.length > 0 ? files : sumOfFiles(tests)
  yield `\nThe slowest files:\n${slowest(perFile)
    .map(({ file, seconds }) => indent(`${inTenths(seconds)}  ${file}`))
    .join('')}`
}

const inRepository = (file: string) => (file.startsWith(`${repoDir}/`) ? relative(repoDir, file) : file)
const isTestFile = (name: string) => /\.test\.ts$/.test(name) && !name.includes(' ')

/** A suite or a parent that failed only because a test inside it did. */
function failsThroughOthers(error: unknown): boolean {
  return (error as { failureType?: string } | undefined)?.failureType === 'subtestsFailed'
}

const slowest = (timed: readonly Timed[]) => timed.toSorted((a, b) => b.seconds - a.seconds).slice(0, slowestCount)

function sumOfFiles(tests: readonly Timed[]): Timed[] {
  return [...Map.groupBy(tests, ({ file }) => file)].map(([file, own]) => ({
    ...{ name: file, file },
    seconds: own.reduce((sum, { seconds }) => sum + seconds, 0),
  }))
}

const inTenths = (seconds: number) => `${seconds.toFixed(1).padStart(7)} s`
const indent = (line: string) => `  ${line}\n`
