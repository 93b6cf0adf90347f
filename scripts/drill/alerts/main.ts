import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readOptions, text } from '../../../tooling/script-options.ts'
import { waitFor } from '../../../tooling/services/state.ts'
import { priceMicros } from '../../fault-injection/chaos/verify-posts.ts'
import { type Cause, causes, notCaused } from './causes.ts'
import { findEmptyPanels } from './empty-panels.ts'
import { type Drilled, openDrilled, startTraffic } from './open-drilled.ts'
import { startPrometheus } from './prometheus.ts'
import { readShortRules } from './short-rules.ts'

/** How long an alert may take. The lag of a standby must grow for half a minute. */
const limitMs = 240_000
/** How long to wait for an alert to end that fires too early, for example because the machine is busy. */
const calmMs = 60_000
const quietSeconds = 20

export const alertsDrill = {
  run: async (args: readonly string[]) => {
    const { only = '' } = readOptions(args, { only: text('ALERT') })
    const chosen = causes.filter(({ fires }) => fires.some((alert) => alert.includes(only)))
    const missed = await fireAlerts(chosen)
    const unknown = causelessAlerts().filter((alert) => !(alert in notCaused))
    if (missed.length + unknown.length > 0) throw new Error(`did not fire: ${[...missed, ...unknown].join(', ')}`)
  },
}

const causelessAlerts = () =>
  readShortRules().alerts.filter(
    (alert) => !causes.some(({ fires }) => fires.some((name) => name.split(' ')[0] === alert)),
  )

/** Fires the alerts of these causes and returns those that did not fire. */
async function fireAlerts(chosen: readonly Cause[]) {
  const { files, alerts } = readShortRules()
  await using drilled = await openDrilled()
  await using prometheus = await startPrometheus({
    ...{ folder: join(drilled.folder, 'prometheus'), rules: files, targets: drilled.targets },
  })
  const firing = async () =>
    (await prometheus.client.now('ALERTS{alertstate="firing"}')).map(({ labels }) =>
      [labels['alertname'], labels['slo']].filter(Boolean).join(' '),
    )
  const { environment } = drilled
  drilled.accounts.push(...(await environment.createAccounts(3, 5_000 * priceMicros)))
  await using _traffic = startTraffic(environment.baseUrl, drilled.accounts.slice(1))
  await sleep(quietSeconds * 1_000)
  console.log(`before anything is broken, these alerts fire: ${(await firing()).join(', ') || 'none'}`)
  const missed: string[] = []
  for (const cause of chosen) missed.push(...(await fireOne(cause, drilled, firing)))
  for (const alert of causelessAlerts())
    console.log(`${alert.padEnd(30)} not caused: ${notCaused[alert] ?? 'no cause is known'}`)
  const fired = chosen.flatMap(({ fires }) => fires).length - missed.length
  console.log(`${fired} of ${alerts.length} alerts fired.`)
  console.log(`panels without data: ${(await findEmptyPanels(prometheus.client)).join('; ') || 'none'}`)
  const { logs } = environment.logsIf(missed.length > 0)
  if (logs) console.log(`the logs of the processes are in ${logs}`)
  return missed
}

async function fireOne(
  { fires, does, run }: Cause,
  drilled: Drilled,
  firing: () => Promise<string[]>,
): Promise<string[]> {
  const waiting = new Set(fires)
  const isCalm = async () => !(await firing()).some((alert) => waiting.has(alert))
  await waitFor(isCalm, 'calm', calmMs).catch(() => console.log(`${fires.join(', ')}: fires before its cause`))
  const startedAt = performance.now()
  const seconds = () => ((performance.now() - startedAt) / 1_000).toFixed(0)
  let mend: (() => Promise<unknown>) | undefined
  try {
    mend = await run(drilled)
    const haveFired = async () => {
      for (const alert of await firing())
        if (waiting.delete(alert)) console.log(`${alert.padEnd(30)} fired after ${seconds().padStart(3)} s: ${does}`)
      return waiting.size === 0
    }
    await waitFor(haveFired, `the alerts ${fires.join(', ')}`, limitMs)
  } catch (error) {
    console.log(`${[...waiting].join(', ')} did not fire: ${does}. ${error instanceof Error ? error.message : error}`)
  }
  await mend?.()
  return [...waiting]
}
