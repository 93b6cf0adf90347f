import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { developmentEnvironmentFile } from '../../src/bin/environment.ts'
import { gatewayProblems } from '../../src/bin/gateway/problems.ts'
import { allDocuments } from '../../src/documents/all-documents.ts'
import { type Deployment, deploymentFrom, deploymentSettings } from '../../src/documents/deployment.ts'
import { problemPages, siteDocuments } from '../../src/documents/site-documents.ts'
import { writeDocuments } from '../../src/documents/write-documents.ts'
import { readSettings } from '../../src/platform/settings/settings.ts'
import { developmentDatabase } from './databases.ts'
import { accountPageUrl, deskUrl, developmentSettings, gateway, ports, sites } from './development.ts'
import { firstSecret, startNginx, stopNginx } from './nginx.ts'
import { startPostgres, stopUnusedPostgres } from './postgres.ts'
import type { Steps } from './start/steps.ts'
import { answers, untilAnswering } from './start/until-ready.ts'
import { repoDir, runningPid, stateDir, stopProcess } from './state.ts'

export { answers }

/**
 * Starts the services that Broadside depends on: PostgreSQL with its database, the mail inbox, the double of the
 * payment provider and the gateway. Safe to repeat.
 */
export async function startServices(steps: Steps): Promise<NodeJS.ProcessEnv> {
  const { adminUrl } = await steps.run('PostgreSQL', startPostgres, {
    done: ({ adminUrl }) => `PostgreSQL on port ${new URL(adminUrl).port || 5432}`,
  })
  const urls = await steps.run('The schema', () => developmentDatabase(adminUrl), { done: () => 'Schema up to date' })
  const settings = developmentSettings(adminUrl, urls)
  const file = fileURLToPath(developmentEnvironmentFile)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(
    file,
    Object.entries(settings)
      .map(([name, value]) => `${name}="${value}"\n`)
      .join(''),
    { mode: 0o600 },
  )
  await steps.run('The mail inbox', startInbox, {
    log: logFile('inbox'),
    done: () => `Mail inbox on http://localhost:${ports.inbox} (SMTP ${ports.smtp})`,
  })
  await steps.run('The test double of the payment provider', () => startProvider(settings), {
    log: logFile('payment-provider'),
    done: () => `Test double of the payment provider on http://localhost:${ports.paymentProvider}`,
  })
  await steps.run('The gateway', () => startGateway(settings), { done: () => 'Gateway up' })
  return { ...process.env, ...settings }
}

/** Leaves PostgreSQL running while other programs, such as tests or `npm run chaos`, use it. */
export async function stopServices(): Promise<void> {
  await stopNginx(join(stateDir(), 'nginx'))
  await stopByPidFile('inbox')
  await stopByPidFile('payment-provider')
  if ((await stopUnusedPostgres()) === 'in use')
    console.log('PostgreSQL keeps running: other programs are connected to it.')
}

async function startGateway(settings: ReturnType<typeof developmentSettings>): Promise<void> {
  const directory = join(stateDir(), 'nginx')
  const deployment = deploymentFrom(readSettings(settings, deploymentSettings), new Date())
  const roots = String(settings.PAGES_DIRECTORY)
  await writeDocuments(allDocuments(deployment), { directory: roots })
  const firstApi = Number(settings.API_PORT)
  await startNginx({
    directory,
    sites: sites.map(({ kind, port, baseUrl }) => ({
      name: kind.site.slug,
      port,
      baseUrl,
      root: join(roots, kind.site.slug),
    })),
    ownerPage: { port: ports.ownerPage, baseUrl: accountPageUrl, upstreamPort: Number(settings.OWNER_PAGE_PORT) },
    desk: { port: ports.desk, baseUrl: deskUrl, upstreamPort: Number(settings.DESK_PORT) },
    cardsPort: Number(settings.CARDS_PORT),
    apiPorts: Array.from({ length: Number(settings.API_PROCESSES) }, (_, index) => firstApi + index),
    ...gateway,
    problems: gatewayProblems,
    secret: firstSecret(String(settings.GATEWAY_SECRET)),
    detached: true,
  })
}

/** Writes only the files generated from the contract, for environments that need no pages. */
export function writeContract(deployment: Deployment, folder: string): string {
  for (const [path, content] of [...siteDocuments(deployment), ...problemPages(deployment)]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return folder
}

/**
 * The programs that run in the background. Absolute paths, so that the process of another working folder is not taken
 * for one of this folder, even if its id is in a file that was copied.
 */
const programs = {
  inbox: join(import.meta.dirname, 'inbox.ts'),
  'payment-provider': join(import.meta.dirname, 'payment-provider/main.ts'),
  broadside: join(repoDir, 'src/bin/broadside.ts'),
} as const
type Program = keyof typeof programs

async function startInbox(): Promise<void> {
  if (runningPid(pidFile('inbox'), programs.inbox)) return
  const child = startDetached('inbox', [], {
    ...process.env,
    SMTP_PORT: String(ports.smtp),
    INBOX_PORT: String(ports.inbox),
  })
  await untilAnswering([{ name: 'the mail inbox', url: `http://localhost:${ports.inbox}/email` }], {
    isRunning: () => isAlive(child),
  })
}

/** The double stores its payments next to the database that refers to them. */
async function startProvider(settings: ReturnType<typeof developmentSettings>): Promise<void> {
  if (runningPid(pidFile('payment-provider'), programs['payment-provider'])) return
  const child = startDetached('payment-provider', [], {
    ...process.env,
    PORT: String(ports.paymentProvider),
    SECRET_KEY: settings.STRIPE_SECRET_KEY,
    WEBHOOK_SECRET: settings.STRIPE_WEBHOOK_SECRET,
    EVENTS_URL: `${accountPageUrl}/payments/events`,
    STATE_FILE: join(stateDir(), 'payment-provider.json'),
  })
  const url = `http://localhost:${ports.paymentProvider}/`
  await untilAnswering([{ name: 'the payment provider', url }], { isRunning: () => isAlive(child) })
}

const pidFile = (name: string) => join(stateDir(), `${name}.pid`)

export const logFile = (name: string) => join(stateDir(), `${name}.log`)

/** Starts one of the programs, which outlives this one, and records its process id. */
export function startDetached(name: Program, args: string[], environment: NodeJS.ProcessEnv): ChildProcess {
  const log = openSync(logFile(name), 'w')
  const child = spawn(process.execPath, [programs[name], ...args], {
    cwd: repoDir,
    env: environment,
    detached: true,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  writeFileSync(pidFile(name), `${child.pid}\n`)
  child.unref()
  return child
}

export async function stopByPidFile(name: Program): Promise<void> {
  const pid = runningPid(pidFile(name), programs[name])
  if (pid) await stopProcess(pid)
  rmSync(pidFile(name), { force: true })
}

export const isAlive = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null

/** Waits until the whole service responds through the gateway and its worker takes jobs. */
export function untilReady(child: ChildProcess, onWait: (what: string) => void, signal?: AbortSignal): Promise<void> {
  const awaited = [
    ...sites.map(({ kind, baseUrl }) => ({ name: `the API of ${kind.site.title}`, url: `${baseUrl}/v1/status` })),
    { name: 'the owner page', url: `${accountPageUrl}/` },
    { name: 'the desk', url: `${deskUrl}/sign-in` },
    { name: 'the worker', url: `http://127.0.0.1:${ports.workerHealth}/readyz` },
  ]
  return untilAnswering(awaited, { isRunning: () => isAlive(child), onWait, ...(signal && { signal }) })
}

export function describeStack(): string {
  return [
    ...sites.map(({ kind, baseUrl }) => `  ${baseUrl}  ${kind.site.title}`),
    `  ${accountPageUrl}  Owner page`,
    `  ${deskUrl}  Desk`,
    `  http://localhost:${ports.inbox}  Mail inbox`,
    `  http://localhost:${ports.paymentProvider}  Payment provider (a test double)`,
  ].join('\n')
}
