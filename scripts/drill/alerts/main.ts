import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { waitFor } from '../../../tooling/services/state.ts'
import { priceMicros } from '../../fault-injection/chaos/verify-posts.ts'
import { renderDashboards } from '../dashboards/render.ts'
import { type Cause, causes, notCaused } from './causes.ts'
import { type Drilled, openDrilled, startTraffic } from './open-drilled.ts'
import { startPrometheus } from './prometheus.ts'
import { readShortRules } from './short-rules.ts'

/** How long an alert may take. The lag of a standby must grow for half a minute. */
const limitMs = 120_000
const quietSeconds = 20

export const alertsDrill = {
  run: async (args: readonly string[]) => {
    const { values } = parseArgs({
      args: [...args],
      options: { only: { type: 'string', default: '' }, pictures: { type: 'string' } },
    })
    const chosen = causes.filter(({ fires }) => fires.some((alert) => alert.includes(values.only)))
    const missed = await fireAlerts(chosen, values)
    if (missed.length > 0) throw new Error(`did not fire: ${missed.join(', ')}`)
  },
}

/** Fires the alerts of these causes and returns those that did not fire. */
async function fireAlerts(chosen: readonly Cause[], { only, pictures }: { only: string; pictures?: string }) {
  const startedAt = performance.now()
  const { files, alerts } = readShortRules()
  await using drilled = await openDrilled()
  await using prometheus = await startPrometheus({
    ...{ folder: join(drilled.folder, 'prometheus'), rules: files, targets: drilled.targets },
  })
  const firing = async () =>
    (await prometheus.client.now('ALERTS{alertstate="firing"}')).map(({ labels }) => String(labels['alertname']))
  const { environment } = drilled
  drilled.accounts.push(...(await environment.createAccounts(3, 5_000 * priceMicros)))
  await using _traffic = startTraffic(environment.baseUrl, drilled.accounts.slice(1))
  await sleep(quietSeconds * 1_000)
  console.log(`before anything is broken, these alerts fire: ${(await firing()).join(', ') || 'none'}`)
  const missed: string[] = []
  for (const cause of chosen) missed.push(...(await fireOne(cause, drilled, firing)))
  const causeless = alerts.filter((alert) => !causes.some(({ fires }) => fires.includes(alert)))
  for (const alert of causeless)
    console.log(`${alert.padEnd(24)} not caused: ${notCaused[alert] ?? 'no cause is known'}`)
  if (only === '') missed.push(...causeless.filter((alert) => !(alert in notCaused)))
  const fired = chosen.flatMap(({ fires }) => fires).length - missed.length
  console.log(`${fired} of ${alerts.length} alerts fired.`)
  if (pictures) {
    const minutes = Math.ceil((performance.now() - startedAt) / 60_000)
    const { empty } = await renderDashboards({
      prometheusUrl: prometheus.url,
      folder: pictures,
      minutes,
      rateInterval: '15s',
    })
    console.log(`pictures of the dashboards are in ${pictures}; panels without data: ${empty.join('; ') || 'none'}`)
  }
  if (missed.length > 0) cpSync(environment.logFolder, `${drilled.folder}-logs`, { recursive: true })
  environment.logsIf(missed.length > 0)
  return missed
}

async function fireOne(
  { fires, does, run }: Cause,
  drilled: Drilled,
  firing: () => Promise<string[]>,
): Promise<string[]> {
  const startedAt = performance.now()
  const waiting = new Set(fires)
  const seconds = () => ((performance.now() - startedAt) / 1_000).toFixed(0)
  let mend: (() => Promise<unknown>) | undefined
  try {
    mend = await run(drilled)
    const haveFired = async () => {
      for (const alert of await firing())
        if (waiting.delete(alert)) console.log(`${alert.padEnd(24)} fired after ${seconds().padStart(3)} s: ${does}`)
      return waiting.size === 0
    }
    await waitFor(haveFired, `the alerts ${fires.join(', ')}`, limitMs)
  } catch (error) {
    console.log(`${[...waiting].join(', ')} did not fire: ${does}. ${error instanceof Error ? error.message : error}`)
  }
  await mend?.()
  return [...waiting]
}
