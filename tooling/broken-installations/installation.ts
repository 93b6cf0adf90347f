import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asProduction, settingsFor } from '../environment/processes.ts'
import { makeCertificates } from '../network/https-receiver.ts'
import { migratedDatabase, type OwnDatabase } from '../services/databases.ts'
import { newSecret } from '../services/development.ts'
import { startStandby } from '../services/standby.ts'
import { quietPort } from '../services/state.ts'

/** A production-like installation on this machine, with a database of its own. Nothing of it runs. */
export type Installation = {
  database: OwnDatabase
  folder: string
  environment: NodeJS.ProcessEnv
  /** A server of its own, as a standby until somebody promotes it. The first caller starts it. */
  standby: () => ReturnType<typeof startStandby>
  /** The authority of the gateway's certificate. */
  authority: string
}

/** One thing that is wrong, made for real. */
export type BrokenSetup = {
  name: string
  /** The checks to run, as for --only. */
  only: string
  /** Breaks something and returns the changed settings. What it starts or mounts belongs to the stack. */
  breaks: (installation: Installation, stack: AsyncDisposableStack) => Promise<NodeJS.ProcessEnv>
  cause: RegExp
  fix: RegExp
  /** Seconds for one connection, if the time limit is what ends it. */
  timeoutSeconds?: number
}

const hosts = Array.from({ length: 6 }, (_, index) => `127.0.0.${index + 2}`)

export async function openInstallation(stack: AsyncDisposableStack): Promise<Installation> {
  const database = stack.use(await migratedDatabase('doctor'))
  const folder = mkdtempSync(join(tmpdir(), 'broadside-doctor-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  // Other users must be able to enter it.
  chmodSync(folder, 0o755)
  const { ca, key, cert } = makeCertificates([...hosts, '127.0.0.1'])
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const port = await quietPort()
  const origins = hosts.map((host) => `https://${host}:${port}`)
  const pages = join(folder, 'pages')
  mkdirSync(pages)
  let standby: ReturnType<typeof startStandby> | undefined
  const startOnce = async () => stack.use(await startStandby())
  const [accountPage, desk, ...sites] = origins
  return {
    database,
    folder,
    standby: () => {
      standby ??= startOnce()
      return standby
    },
    authority: file('authority.pem', ca),
    environment: {
      PATH: process.env['PATH'],
      ...asProduction(await settingsFor(database)),
      SITES: ['message', 'story', 'classified', 'event'].map((kind, index) => `${kind}=${sites[index]}`).join(' '),
      ACCOUNT_PAGE_URL: accountPage,
      DESK_URL: desk,
      PAGES_DIRECTORY: pages,
      GATEWAY_DIRECTORY: join(folder, 'gateway'),
      GATEWAY_LISTEN: String(port),
      GATEWAY_CERTIFICATE: file('certificate.pem', cert),
      GATEWAY_CERTIFICATE_KEY: file('key.pem', key),
      GATEWAY_SECRET: newSecret(),
      SERVICE_USER: 'nobody',
      PAYMENTS_DRIVER: 'manual',
      MODEL_DRIVER: 'always-on',
      JUDGE_URL: '',
      STRIPE_SECRET_KEY: '',
      MAIL_FROM: 'Broadside <hello@broadside.test>',
    },
  }
}

/** A certificate that ended in 2025, with its key, for these addresses. */
export function makeExpiredCertificate(addresses: readonly string[]): { key: Buffer; cert: Buffer } {
  const folder = mkdtempSync(join(tmpdir(), 'broadside-expired-'))
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  try {
    writeFileSync(join(folder, 'index.txt'), '')
    writeFileSync(join(folder, 'names'), `subjectAltName=${addresses.map((address) => `IP:${address}`).join(',')}\n`)
    writeFileSync(
      join(folder, 'ca.cnf'),
      '[ca]\ndefault_ca=d\n[d]\ndatabase=index.txt\nnew_certs_dir=.\ndefault_md=sha256\npolicy=p\nrand_serial=yes\n[p]\ncommonName=supplied\n',
    )
    openssl(
      'req',
      '-x509',
      ...newKey,
      '-days',
      '2',
      '-keyout',
      'ca.key',
      '-out',
      'ca.pem',
      '-subj',
      '/CN=An old authority',
    )
    openssl('req', ...newKey, '-keyout', 'key.pem', '-out', 'request.pem', '-subj', '/CN=An old server')
    const time = ['-startdate', '20250101000000Z', '-enddate', '20250201000000Z', '-extfile', 'names']
    const signed = [
      '-config',
      'ca.cnf',
      '-cert',
      'ca.pem',
      '-keyfile',
      'ca.key',
      '-in',
      'request.pem',
      '-out',
      'cert.pem',
    ]
    openssl('ca', '-batch', '-notext', ...signed, ...time)
    const read = (name: string) => readFileSync(join(folder, name))
    return { key: read('key.pem'), cert: read('cert.pem') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** A folder for PATH with a program that prints this text. */
export function programThatPrints(folder: string, name: string, text: string): string {
  const bin = join(folder, `bin-${name}`)
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, `${name}.out`), text)
  writeFileSync(join(bin, name), `#!/bin/sh\nexec cat '${join(bin, `${name}.out`)}'\n`, { mode: 0o755 })
  return `${bin}:${process.env['PATH']}`
}
