import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asAdministrator } from '../../../src/platform/database/database-setup.ts'
import { asProduction, settingsFor } from '../../../tooling/environment/processes.ts'
import { makeCertificates } from '../../../tooling/network/https-receiver.ts'
import { migratedDatabase } from '../../../tooling/services/databases.ts'
import { newSecret } from '../../../tooling/services/development.ts'
import { quietPort } from '../../../tooling/services/state.ts'

export type Installation = Awaited<ReturnType<typeof openInstallation>>

/** A production-like installation on this machine, with a database of its own. Nothing of it runs. */
export async function openInstallation(stack: AsyncDisposableStack) {
  const database = stack.use(await migratedDatabase('doctor'))
  const folder = mkdtempSync(join(tmpdir(), 'broadside-doctor-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  // Other users must be able to enter it.
  chmodSync(folder, 0o755)
  const port = await quietPort()
  const hosts = Array.from({ length: 6 }, (_, index) => `127.0.0.${index + 2}`)
  const { ca, key, cert } = makeCertificates([...hosts, '127.0.0.1'])
  const file = (name: string, text: string, mode = 0o644) => {
    writeFileSync(join(folder, name), text, { mode })
    return join(folder, name)
  }
  const [accountPage, desk, ...sites] = hosts.map((host) => `https://${host}:${port}`)
  mkdirSync(join(folder, 'pages'))
  return {
    folder,
    file,
    authority: file('authority.pem', ca),
    certificate: { key, cert },
    sql: (...statements: string[]) =>
      asAdministrator(database.adminUrl, async (admin) => {
        for (const statement of statements) await admin.query(statement)
      }),
    environment: {
      PATH: process.env['PATH'],
      ...asProduction(await settingsFor(database)),
      SITES: ['message', 'story', 'classified', 'event'].map((kind, index) => `${kind}=${sites[index]}`).join(' '),
      ACCOUNT_PAGE_URL: accountPage,
      DESK_URL: desk,
      PAGES_DIRECTORY: join(folder, 'pages'),
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
    } as NodeJS.ProcessEnv,
    /** A folder for PATH with a program that prints this text. */
    programThatPrints: (name: string, text: string) => {
      const bin = join(folder, `bin-${name}`)
      mkdirSync(bin, { recursive: true })
      writeFileSync(join(bin, name), `#!/bin/sh\nexec cat '${file(`${name}.out`, text)}'\n`, { mode: 0o755 })
      return `${bin}:${process.env['PATH']}`
    },
  }
}

/** Listens on a free port of this machine until the stack ends. */
export async function listen(server: Server, stack: AsyncDisposableStack): Promise<string> {
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  stack.defer(() => void server.close())
  return String((server.address() as AddressInfo).port)
}

export const answering = (stack: AsyncDisposableStack, listener: RequestListener) =>
  listen(createHttpServer(listener) as unknown as Server, stack)

/** One thing that is wrong, made for real, the probe that must find it, and the words of the cause. */
export type Broken = {
  what: string
  probe: string
  says: RegExp
  /** Breaks something and returns the changed settings. What it starts or mounts belongs to the stack. */
  breaks: (installation: Installation, stack: AsyncDisposableStack) => NodeJS.ProcessEnv | Promise<NodeJS.ProcessEnv>
  /** How far the clock is ahead. */
  daysLater?: number
}

/** Accepts connections and never answers. */
export const silent = (stack: AsyncDisposableStack) =>
  listen(
    createServer((socket) => socket.resume()),
    stack,
  )
