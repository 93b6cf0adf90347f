import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gatewaySettings, productionGateway } from '../../commands/processes/gateway.ts'
import { gatewayFiles } from '../../gateway/configuration.ts'
import { askService, type Reply } from '../ask.ts'
import { asRoot, type CheckFinding, type Context, canTell, codeOf, must, type Probe, should } from '../probe.ts'
import { isRoot, run } from '../programs.ts'

export const gatewayProbe: Probe = {
  name: 'gateway',
  expects: 'nginx runs, its configuration follows from the settings, and every origin answers',
  look: async (context) => {
    // `npm run up` runs its own gateway.
    if (!context.isProduction) return []
    const { GATEWAY_DIRECTORY: directory } = context.read(['GATEWAY_DIRECTORY'])
    const { path, code, line } = firstDifference(context, directory) ?? {}
    const syntax = code ? undefined : await syntaxFault(context, directory)
    const reload = context.unit('reload', 'broadside-gateway')
    const write = `${context.broadside(`gateway ${directory}`)} && ${reload}`
    const start = `rm -rf ${directory}/sockets && ${context.unit('start', 'broadside-gateway')}`
    return [
      canTell(code !== 'EACCES', `This user cannot read ${path}.`, asRoot(context)),
      must(code !== 'ENOENT', `There is no ${path}.`, write),
      must(!line, `${path} does not match the settings; the first difference is on line ${line}.`, write),
      must(
        syntax === undefined,
        `nginx does not accept the configuration: ${syntax}.`,
        `apt-get install nginx-light libnginx-mod-stream, and make GATEWAY_CERTIFICATE and GATEWAY_CERTIFICATE_KEY readable PEM files. See docs/runbooks/gateway.md.`,
      ),
      must(code === 'EACCES' || isNginxRunning(directory), 'The gateway does not run.', start),
      ...joinAddresses(await Promise.all(listOrigins(context).map((origin) => examineOrigin(context, origin)))),
    ]
  },
}

/** Compares without printing what differs: the files contain the gateway's secret. */
function firstDifference(
  context: Context,
  directory: string,
): { path: string; code?: string; line?: number } | undefined {
  for (const [name, text] of gatewayFiles(productionGateway(context.read(gatewaySettings), directory))) {
    const path = join(directory, name)
    try {
      const found = readFileSync(path, 'utf8')
      if (found === text) continue
      const [ours, theirs] = [text.split('\n'), found.split('\n')]
      return { path, line: ours.findIndex((words, index) => words !== theirs[index]) + 1 || ours.length + 1 }
    } catch (error) {
      return { path, code: codeOf(error) }
    }
  }
  return undefined
}

/** The words of nginx, unless it accepts the configuration. Only root can read all of it. */
async function syntaxFault(context: Context, directory: string): Promise<string | undefined> {
  if (!isRoot) return undefined
  const command = ['nginx', '-q', '-p', `${directory}/`, '-c', 'nginx.conf', '-e', 'stderr', '-t']
  const { code, stderr } = await run(context, command).catch((error) => ({ code: 1, stderr: String(error) }))
  return code === 0 ? undefined : stderr.trim()
}

function isNginxRunning(directory: string): boolean {
  try {
    const pid = Number.parseInt(readFileSync(join(directory, 'nginx.pid'), 'utf8'), 10)
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('nginx')
  } catch {
    return false
  }
}

type Origin = { origin: string; path: string; behind: string }

/** Each origin, the path that it must answer, and what is behind it. */
function listOrigins({ read }: Context): Origin[] {
  const { SITES, ACCOUNT_PAGE_URL, DESK_URL } = read(['SITES', 'ACCOUNT_PAGE_URL', 'DESK_URL'])
  const sites = Object.values(SITES)
  return [
    ...sites.map((origin) => ({ origin, path: '/robots.txt', behind: 'pages' })),
    { origin: String(sites[0]), path: '/v1/status', behind: 'api' },
    { origin: ACCOUNT_PAGE_URL, path: '/', behind: 'owner page' },
    { origin: DESK_URL, path: '/', behind: 'desk' },
  ]
}

/** The findings about one address. The causes continue a sentence that begins with it. */
type About = { address: string; found: (CheckFinding | undefined)[] }

/** One finding for all addresses with the same fault. */
function joinAddresses(all: readonly About[]): CheckFinding[] {
  const located = all.flatMap(({ address, found }) => found.flatMap((one) => (one ? [{ address, ...one }] : [])))
  const groups = Map.groupBy(located, ({ level, cause, fix }) => JSON.stringify({ level, cause, fix }))
  return [...groups].map(([key, group]) => {
    const finding = JSON.parse(key) as CheckFinding
    const addresses = [...new Set(group.map(({ address }) => address))]
    return { ...finding, cause: `${addresses.join(', ')}: ${finding.cause}` }
  })
}

const askOrigin = ({ timeoutMs }: Context, url: string, at?: { host: string; port: number }) =>
  askService(url, { timeoutMs, acceptsAnyCertificate: true, ...(at && { at }) })

async function examineOrigin(context: Context, { origin, path, behind }: Origin): Promise<About> {
  try {
    const { status } = await askOrigin(context, `${origin}${path}`)
    const isGood = status === 200 || (status < 500 && behind !== 'pages' && behind !== 'api')
    const [why, only] =
      behind === 'pages'
        ? [status === 403 ? 'the gateway may not read the pages' : 'the documents are missing', 'pages,documents']
        : [`the ${behind} process is down or not ready`, 'processes']
    const fix = context.broadside(`doctor --only ${only}`)
    return { address: `${origin}${path}`, found: [must(isGood, `the gateway answers ${status}: ${why}.`, fix)] }
  } catch (error) {
    return { address: origin, found: [await explainFailure(context, origin, codeOf(error))] }
  }
}

async function explainFailure(context: Context, origin: string, code: string) {
  const { hostname } = new URL(origin)
  const record = `Create an A record (and an AAAA record) for ${hostname} with the address of this machine. To see it: getent hosts ${hostname}`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return must(false, 'the name has no address in DNS.', record)
  // On the address that the gateway listens on, without DNS.
  const [listen = '443'] = context.read(['GATEWAY_LISTEN']).GATEWAY_LISTEN
  const [, host = '127.0.0.1', port] = /^(?:\[?([^\]]+)\]?:)?(\d+)$/.exec(listen) ?? []
  const isHere = await askOrigin(context, `${origin}/`, { host, port: Number(port) }).then(Boolean, () => false)
  const open = `Open the port in the firewall, and compare \`getent hosts ${hostname}\` with \`ip -brief address\`.`
  return isHere
    ? must(false, `the gateway works on this machine, but cannot be reached under this name (${code}).`, open)
    : must(false, `nothing answers (${code}).`, context.unit('start', 'broadside-gateway'))
}

export const certificateProbe: Probe = {
  name: 'certificate',
  expects: 'each origin has a trusted certificate for its name that does not expire soon',
  look: async (context) => {
    const file = readCertificateFile(context)
    const origins = new Set(listOrigins(context).map(({ origin }) => origin))
    const served = [...origins].map(async (origin) => {
      // The probe of the gateway says that one does not answer.
      const { tls } = await askOrigin(context, `${origin}/`).catch(() => ({ tls: undefined }))
      return { address: origin, found: tls ? examineCertificate(context, new URL(origin), tls, file) : [] }
    })
    const onDisk = { address: 'GATEWAY_CERTIFICATE', found: file ? expiry(context, file.validToDate) : [] }
    return joinAddresses([...(await Promise.all(served)), onDisk])
  },
}

function examineCertificate(
  context: Context,
  { hostname }: URL,
  { certificate, fault, isNamed }: NonNullable<Reply['tls']>,
  file: X509Certificate | undefined,
) {
  const reload = context.unit('reload', 'broadside-gateway')
  const isTrusted = fault === undefined || fault === 'CERT_HAS_EXPIRED'
  return [
    ...expiry(context, new Date(certificate.valid_to)),
    must(
      isTrusted,
      `the certificate is not trusted (${fault}).`,
      `Put a certificate of a public authority with its whole chain into GATEWAY_CERTIFICATE (fullchain.pem, not cert.pem), then: ${reload}. For an authority of your own, run doctor with NODE_EXTRA_CA_CERTS=<its PEM file>.`,
    ),
    must(
      isNamed,
      `the certificate is not for this name, but for ${certificate.subjectaltname}.`,
      `Get one certificate for the hosts of SITES, ACCOUNT_PAGE_URL and DESK_URL (certbot certonly -d ${hostname} -d …), and set GATEWAY_CERTIFICATE.`,
    ),
    // A renewed certificate is used only after a reload.
    should(
      !file || file.fingerprint256 === certificate.fingerprint256,
      'the gateway shows another certificate than the one in GATEWAY_CERTIFICATE.',
      reload,
    ),
  ]
}

/** Let’s Encrypt’s clients renew 30 days before the end. */
const days = { warning: 21, problem: 7 }

function expiry({ clock, unit }: Context, until: Date) {
  const left = (until.getTime() - clock.now().getTime()) / 86_400_000
  const renew = `Renew it, for example: certbot renew; then: ${unit('reload', 'broadside-gateway')}`
  const on = until.toISOString().slice(0, 10)
  const expect = left < days.problem ? must : should
  return [
    must(left >= 0, `the certificate expired on ${on}.`, renew),
    expect(left < 0 || left >= days.warning, `the certificate expires in ${Math.floor(left)} days, on ${on}.`, renew),
  ]
}

/** Undefined if another machine ends TLS, or if this user cannot read it; the probe of the gateway says so. */
function readCertificateFile({ read }: Context): X509Certificate | undefined {
  try {
    return new X509Certificate(readFileSync(read(['GATEWAY_CERTIFICATE']).GATEWAY_CERTIFICATE))
  } catch {
    return undefined
  }
}
