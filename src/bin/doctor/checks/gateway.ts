import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '../../command.ts'
import { gatewaySettings, productionGateway } from '../../commands/processes/gateway.ts'
import { gatewayFiles } from '../../gateway/configuration.ts'
import {
  type AddressFinding,
  asRoot,
  type CheckFinding,
  type Context,
  codeOf,
  joinAddresses,
  NotChecked,
  problem,
  type RunCheck,
  unchecked,
} from '../check.ts'
import { askService } from '../probe.ts'
import { runProgram } from '../users.ts'

export const checkGateway: RunCheck = async (context) => {
  if (!context.isProduction)
    return { summary: 'Not checked outside production: `npm run up` runs its own gateway.', findings: [] }
  const { GATEWAY_DIRECTORY: directory } = context.read(['GATEWAY_DIRECTORY'])
  const files = checkFiles(context, directory)
  // A wrong configuration may belong to a gateway that runs, so the origins are asked anyway.
  const isThere = files.every(({ level, cause }) => level !== 'problem' || !cause.startsWith('There is no'))
  const findings = [
    ...files,
    ...(isThere ? await checkSyntax(context, directory) : []),
    ...checkRunning(context, directory),
    ...(await checkOrigins(context)),
  ]
  return { summary: 'nginx runs with the configuration of the settings, and every origin answers.', findings }
}

/** Compares without printing what differs: the files contain the gateway's secret. */
function checkFiles(context: Context, directory: string): CheckFinding[] {
  const write = `${context.broadside(`gateway ${directory}`)} && ${context.unit('reload', 'broadside-gateway')}`
  for (const [name, text] of expectedFiles(context, directory)) {
    const path = join(directory, name)
    try {
      const found = readFileSync(path, 'utf8')
      if (found === text) continue
      const [ours, theirs] = [text.split('\n'), found.split('\n')]
      const line = ours.findIndex((words, index) => words !== theirs[index]) + 1 || ours.length + 1
      return [problem(`${path} differs from what the settings and this version give, first in line ${line}.`, write)]
    } catch (error) {
      if (codeOf(error) === 'EACCES') return [unchecked(`This user cannot read ${path}.`, asRoot(context))]
      if (codeOf(error) !== 'ENOENT') throw error
      return [problem(`There is no ${path}.`, write)]
    }
  }
  return []
}

function expectedFiles(context: Context, directory: string) {
  try {
    return gatewayFiles(productionGateway(context.read(gatewaySettings), directory))
  } catch (error) {
    if (error instanceof CommandError) throw new NotChecked(error.message, context.broadside('doctor --only settings'))
    throw error
  }
}

async function checkSyntax(context: Context, directory: string): Promise<CheckFinding[]> {
  const install = 'apt-get install nginx-light libnginx-mod-stream'
  try {
    const { code, stderr } = await runProgram(context, [
      'nginx',
      '-p',
      `${directory}/`,
      '-c',
      'nginx.conf',
      '-e',
      'stderr',
      '-t',
    ])
    if (code === 0) return []
    const fault = /\[(?:emerg|alert)\] (?:\d+#\d+: )?(.*)/.exec(stderr)?.[1] ?? 'nginx gives no reason'
    if (/Permission denied/.test(fault) && process.getuid?.() !== 0)
      return [unchecked(`This user cannot test the configuration: ${fault}.`, asRoot(context))]
    return [problem(`nginx does not accept the configuration: ${fault}.`, fixFor(fault, directory))]
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [problem('nginx is not installed.', install)]
    throw error
  }
}

function fixFor(fault: string, directory: string): string {
  if (/unknown directive "stream"|ngx_stream_module/.test(fault)) return 'apt-get install libnginx-mod-stream'
  if (/certificate|PEM/.test(fault))
    return 'Put the certificate with its chain and its key at GATEWAY_CERTIFICATE and GATEWAY_CERTIFICATE_KEY, readable by root.'
  return `nginx -p ${directory}/ -c nginx.conf -e stderr -t, and see docs/runbooks/gateway.md`
}

function checkRunning(context: Context, directory: string): CheckFinding[] {
  const start = `rm -rf ${directory}/sockets && ${context.unit('start', 'broadside-gateway')}`
  const file = join(directory, 'nginx.pid')
  try {
    const pid = Number.parseInt(readFileSync(file, 'utf8'), 10)
    if (isNginx(pid)) return []
    return [problem('The gateway does not run: its process is gone.', start)]
  } catch (error) {
    if (codeOf(error) === 'EACCES') return [unchecked(`This user cannot read ${file}.`, asRoot(context))]
    if (codeOf(error) === 'ENOENT') return [problem('The gateway does not run.', start)]
    throw error
  }
}

function isNginx(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('nginx')
  } catch {
    return false
  }
}

/** The path that each origin must answer, and what it means if it does not. */
async function checkOrigins(context: Context): Promise<CheckFinding[]> {
  const { SITES, ACCOUNT_PAGE_URL, DESK_URL } = context.read(['SITES', 'ACCOUNT_PAGE_URL', 'DESK_URL'])
  const pages = Object.values(SITES).map((origin) => ({ origin, path: '/robots.txt', behind: 'pages' }))
  const [first] = Object.values(SITES)
  const others = [
    { origin: String(first), path: '/v1/status', behind: 'api' },
    { origin: ACCOUNT_PAGE_URL, path: '/', behind: 'owner page' },
    { origin: DESK_URL, path: '/', behind: 'desk' },
  ]
  const found = await Promise.all([...pages, ...others].map((one) => checkOrigin(context, one)))
  return joinAddresses(found.flat())
}

type Asked = { origin: string; path: string; behind: string }

async function checkOrigin(context: Context, { origin, path, behind }: Asked): Promise<AddressFinding[]> {
  try {
    const { status } = await askService(`${origin}${path}`, {
      timeoutMs: context.timeoutMs,
      acceptsAnyCertificate: true,
    })
    if (status === 200 || (status < 500 && behind !== 'pages' && behind !== 'api')) return []
    const fix = context.broadside(`doctor --only ${behind === 'pages' ? 'pages' : 'processes'}`)
    const cause = `the gateway answers ${status}, because ${meaningOf(status, behind)}.`
    return [{ ...problem(cause, fix), address: `${origin}${path}` }]
  } catch (error) {
    return [{ ...(await explainFailure(context, origin, error)), address: origin }]
  }
}

function meaningOf(status: number, behind: string): string {
  if (behind === 'pages') return status === 403 ? 'the gateway may not read the pages' : 'the documents are missing'
  return status >= 502 ? `the ${behind} process does not answer the gateway` : `the ${behind} process cannot answer`
}

async function explainFailure(context: Context, origin: string, error: unknown): Promise<CheckFinding> {
  const { hostname } = new URL(origin)
  const code = codeOf(error)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return problem(
      'the name has no address in DNS.',
      `Create an A record (and an AAAA record) for ${hostname} with the address of this machine. To see it: getent hosts ${hostname}`,
    )
  const isHere = await answersHere(context, origin)
  if (isHere)
    return problem(
      `the gateway works on this machine, but cannot be reached under this name (${code}).`,
      `Open the port in the firewall, and compare \`getent hosts ${hostname}\` with \`ip -brief address\`.`,
    )
  return problem(`nothing answers (${code}).`, context.unit('start', 'broadside-gateway'))
}

/** Asks on the address that the gateway listens on, without DNS. */
async function answersHere({ read, timeoutMs }: Context, origin: string): Promise<boolean> {
  const [listen = '443'] = read(['GATEWAY_LISTEN']).GATEWAY_LISTEN
  const [, host = '127.0.0.1', port] = /^(?:\[?([^\]]+)\]?:)?(\d+)$/.exec(listen) ?? []
  return await askService(`${origin}/`, {
    timeoutMs,
    at: { host, port: Number(port) },
    acceptsAnyCertificate: true,
  }).then(
    () => true,
    () => false,
  )
}
