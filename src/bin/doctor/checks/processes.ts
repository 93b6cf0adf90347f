import { runsLocalModel } from '../../startup/process-rules.ts'
import { type CheckFinding, type Context, codeOf, problem, type RunCheck } from '../check.ts'
import { askService } from '../probe.ts'

type Process = { name: string; unit: string; url: string; hasReadiness: boolean }

export const checkProcesses: RunCheck = async (context) => {
  const processes = listProcesses(context)
  const findings = await Promise.all(processes.map((one) => checkProcess(context, one)))
  return { summary: `${processes.length} processes are up and ready.`, findings: findings.flat() }
}

function listProcesses({ read }: Context): Process[] {
  const settings = read([
    'LISTEN_HOST',
    'API_HEALTH_PORT',
    'API_PROCESSES',
    'WORKER_HEALTH_PORT',
    'WORKER_PROCESSES',
    'OWNER_PAGE_HEALTH_PORT',
    'DESK_HEALTH_PORT',
    'CARDS_HEALTH_PORT',
    'MODEL_URL',
    'MODEL_PORT',
    'MODEL_DRIVER',
    'JUDGE_URL',
  ])
  const host = localAddress(settings.LISTEN_HOST)
  const one = (name: string, unit: string, port: number) => ({
    ...{ name, unit, url: `http://${host}:${port}`, hasReadiness: true },
  })
  const several = (name: string, count: number, port: number) =>
    Array.from({ length: count }, (_, index) =>
      one(`${name} ${index + 1}`, `broadside-${name}@${index + 1}`, port + index),
    )
  // A model that workers start on demand may be stopped.
  const hasModel = runsLocalModel(settings) || settings.MODEL_DRIVER === 'always-on'
  return [
    ...several('api', settings.API_PROCESSES, settings.API_HEALTH_PORT),
    ...several('worker', settings.WORKER_PROCESSES, settings.WORKER_HEALTH_PORT),
    one('owner page', 'broadside-owner-page', settings.OWNER_PAGE_HEALTH_PORT),
    one('desk', 'broadside-desk', settings.DESK_HEALTH_PORT),
    one('cards', 'broadside-cards', settings.CARDS_HEALTH_PORT),
    ...(hasModel ? [{ name: 'model', unit: 'broadside-model', url: settings.MODEL_URL, hasReadiness: false }] : []),
  ]
}

/** A process that listens on all addresses also listens on the loopback address. */
export const localAddress = (host: string) =>
  ['0.0.0.0', '::', '*'].includes(host) ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host

async function checkProcess(context: Context, { name, unit, url, hasReadiness }: Process): Promise<CheckFinding[]> {
  const { unit: control } = context
  const logs = `journalctl -u ${unit} -n 50`
  try {
    const health = await askService(`${url}/healthz`, context)
    const status = statusIn(health.body)
    if (status === undefined)
      return [
        problem(
          `Another program answers at ${url}, where the ${name} process should be.`,
          `Find it with \`ss -ltnp\` and stop it, or change the port. Then: ${control('restart', unit)}`,
        ),
      ]
    if (health.status !== 200)
      return [
        problem(`The ${name} process reports that it is ${status}.`, `${control('restart', unit)}; its log: ${logs}`),
      ]
    if (!hasReadiness) return []
    const ready = await askService(`${url}/readyz`, context)
    if (ready.status === 200) return []
    const reason = reasonIn(ready.body)
    return [problem(`The ${name} process is up but not ready: ${reason}.`, fixFor(context, reason, unit))]
  } catch (error) {
    const cause =
      codeOf(error) === 'ETIMEDOUT'
        ? `The ${name} process does not answer at ${url} in time: it hangs, or the machine is overloaded.`
        : `The ${name} process does not run: nothing listens at ${url}.`
    const verb = codeOf(error) === 'ETIMEDOUT' ? 'restart' : 'start'
    return [problem(cause, `${control(verb, unit)}; if it ends again: ${logs}`)]
  }
}

function fixFor({ broadside, unit: control }: Context, reason: string, unit: string): string {
  if (/database/.test(reason)) return broadside('doctor --only database,roles,schema')
  return `Wait a minute; then: ${control('restart', unit)}; its log: journalctl -u ${unit} -n 50`
}

const statusIn = (body: string) => textIn(body, 'status')
/** Our own text, so it can be printed. */
const reasonIn = (body: string) => textIn(body, 'reason') ?? 'it gives no reason'

function textIn(body: string, member: string): string | undefined {
  try {
    const value: unknown = JSON.parse(body)[member]
    return typeof value === 'string' ? value.slice(0, 200) : undefined
  } catch {
    return undefined
  }
}
