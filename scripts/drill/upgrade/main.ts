import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Instance, restartOneAtATime } from '../../../src/bin/restart/one-at-a-time.ts'
import { parseMigration, readMigrations } from '../../../src/platform/database/migration-files.ts'
import { migrate } from '../../../src/platform/database/migrations.ts'
import { program, runOperator } from '../../../tooling/environment/processes.ts'
import { decimal, readOptions, textOr } from '../../../tooling/script-options.ts'
import { type Environment, openEnvironment } from '../../fault-injection/chaos/environment.ts'
import type { Kept } from '../../fault-injection/chaos/keep-process.ts'
import { settleMs, toSeconds, untilSettled } from '../../fault-injection/chaos/outcomes.ts'
import { inspect, priceMicros } from '../../fault-injection/chaos/verify-posts.ts'
import { databaseOf, openCheckout } from './earlier-program.ts'
import { startLoad } from './load.ts'

export const upgradeDrill = {
  run: async (args: readonly string[]) => {
    const { from, rate, seconds } = readOptions(args, { from: textOr('HEAD'), rate: decimal(20), seconds: decimal(15) })
    const figures = await upgradeAndReturn({ from, rate, quietSeconds: seconds })
    console.log(JSON.stringify({ drill: 'upgrade', ...figures }))
    if (figures.broken.length > 0) process.exitCode = 1
  },
}

/** Built in the phase after the deploy. Both programs work with it. */
const rehearsal = parseMigration(
  '9001_rehearsal.sql',
  '-- works with: 0001\n-- phase: after\n-- transaction: none\ncreate index concurrently rehearsal on posts (created_at, id);',
)
const waitSeconds = 300

/** `from`: the commit of the earlier program. `quietSeconds`: the time between two steps. */
async function upgradeAndReturn({ from, rate, quietSeconds }: { from: string; rate: number; quietSeconds: number }) {
  using earlier = await openCheckout(from)
  const database = await databaseOf(earlier)
  await using environment = await openEnvironment({
    ...{ driver: 'always-on', workers: 2, program: earlier.program, database },
  })
  await environment.startWorkers()
  const others = [await environment.startOwnerPage(), await environment.startDesk()]
  const kinds = [environment.apis, environment.workers, environment.models, ...others.map((one) => [one])]
  const accounts = await environment.createAccounts(8, 5_000 * priceMicros)
  await openFirstPages(environment)
  const load = startLoad(environment, accounts, rate)
  const seconds: Record<string, number> = {}
  const step = async (name: string, work: () => Promise<unknown>) => {
    console.error(`${name} …`)
    load.enter(name)
    const startedAt = performance.now()
    await work()
    seconds[name] = toSeconds(performance.now() - startedAt)
    await sleep(quietSeconds * 1_000)
  }
  await sleep(quietSeconds * 1_000)
  await step('migrate', () => run(environment, 'migrate'))
  await step('roll to this program', () => rollTo(program, kinds))
  await step('migrate --after-deploy', async () => {
    await run(environment, 'migrate', '--after-deploy')
    await migrate(database.urls.migrator, [...(await readMigrations()), rehearsal], new Date())
  })
  await step('roll back to the earlier program', () => rollTo(earlier.program, kinds))
  await load.end()
  const isSettled = await untilSettled(environment, { withinMs: settleMs, onLook: () => {} })
  const broken = await inspect(environment, load.traffic)
  if (!isSettled) broken.push('posts are still waiting')
  for (const { what, answer, step: during } of load.failures.slice(0, 10))
    broken.push(`${what} failed during "${during}": ${answer}`)
  const sorted = load.milliseconds.toSorted((one, other) => one - other)
  const at = (share: number) => Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0)
  return {
    from: earlier.commit,
    requests: load.requests(),
    failed: load.failures.length,
    // A machine that is too slow for the load makes the API refuse requests. This says nothing about the upgrade.
    refused_because_busy: countRefused(environment.logFolder),
    submitted: load.traffic.acknowledged.length,
    answers_to_submissions: Object.fromEntries(load.traffic.answers),
    seconds,
    read_milliseconds: { median: at(0.5), p99: at(0.99), longest: at(1) },
    ...environment.logsIf(broken.length > 0),
    broken,
  }
}

/** The requests that API processes refused because they were overloaded, from their logs. */
function countRefused(logFolder: string): number {
  const logs = readdirSync(logFolder).filter((file) => file.startsWith('api-'))
  const lines = logs.flatMap((file) => readFileSync(join(logFolder, file), 'utf8').split('\n'))
  const refused = lines.flatMap((line) => (line.includes('"refused":{') ? Object.values(JSON.parse(line).refused) : []))
  return refused.reduce<number>((sum, count) => sum + Number(count), 0)
}

async function run({ settings }: Environment, ...args: string[]): Promise<void> {
  const { code, stdout, stderr } = await runOperator(settings, ...args)
  if (code !== 0) throw new Error(`${args.join(' ')} failed: ${stderr}`)
  console.error(stdout.trim())
}

async function rollTo(file: string, kinds: readonly (readonly Kept[])[]): Promise<void> {
  const instances = kinds.map((kept) =>
    kept.map((one): Instance => ({ name: one.name, readyUrl: one.readyUrl, restart: () => one.replace(file) })),
  )
  const { signal: stop } = new AbortController()
  const failed = await restartOneAtATime(instances, { waitSeconds, stop, report: console.error })
  if (failed) throw new Error(`${failed.name} was not ready within ${waitSeconds} s.`)
}

/** The workers write the front page and the archive at their start. */
async function openFirstPages({ baseUrl }: Environment): Promise<void> {
  for (const path of ['/', '/archive']) while (!(await fetch(`${baseUrl}${path}`)).ok) await sleep(200)
}
