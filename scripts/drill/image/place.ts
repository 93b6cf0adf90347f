import { chmodSync, chownSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { repoDir } from '../../../tooling/services/state.ts'
import { run } from '../../../tooling/shell.ts'
import type { Built } from '../../release/image/build.ts'
import { type Composition, readComposition, type Service, volumePath } from './compose.ts'
import type { Place } from './container.ts'
import { closeNetwork, openNetwork } from './network.ts'

/** The user of the image. */
export const user = 10_001

export type Prepared = Place & {
  composition: Composition
  sites: string[]
  ownerPage: string
  desk: string
  certificate: string
}

type Options = { logs: string; cleaning: AsyncDisposableStack }

/** Does what docs/containers.md asks of the operator before `up`: settings, secrets, certificate. */
export async function preparePlace(built: Built, { logs, cleaning }: Options): Promise<Prepared> {
  const folder = mkdtempSync(join(tmpdir(), 'broadside-compose-'))
  chmodSync(folder, 0o755)
  cleaning.defer(() => rmSync(folder, { recursive: true, force: true }))
  const environmentFile = join(folder, 'compose.env')
  copyFileSync(join(repoDir, 'deploy/compose.env.example'), environmentFile)
  const secretsFolder = join(folder, 'secrets')
  await run(join(repoDir, 'deploy/container/make-secrets'), [secretsFolder])
  const settings = parseEnv(readFileSync(environmentFile, 'utf8')) as Record<string, string>
  const sites = [...(settings['SITES'] ?? '').matchAll(/https:\S+/g)].map(([url]) => url)
  const [ownerPage, desk] = [settings['ACCOUNT_PAGE_URL'] ?? '', settings['DESK_URL'] ?? '']
  const certificate = await makeCertificate(folder, [...sites, ownerPage, desk])
  const composition = readComposition(environmentFile)
  for (const { source } of [...composition.services.values()].flatMap(({ volumes }) => volumes))
    if (!source.startsWith('.')) mkdirSync(volumePath(folder, source), { recursive: true })
  // A new volume gets the owner of the folder in the image.
  for (const volume of ['pages', 'erasures']) chownSync(volumePath(folder, volume), user, user)
  cleaning.defer(closeNetwork)
  const network = await openNetwork(folder, composition)
  rmSync(logs, { recursive: true, force: true })
  mkdirSync(logs)
  const own = { folder, logs, network, secretsFolder, root: built.root, config: built.config }
  return { ...own, composition, sites, ownerPage, desk, certificate }
}

/** New files in the folder of the certificate, for the same names. */
export async function renewCertificate({ folder, sites, ownerPage, desk }: Prepared): Promise<void> {
  rmSync(join(folder, 'certificates/fullchain.pem'))
  rmSync(join(folder, 'certificates/privkey.pem'))
  await makeCertificate(folder, [...sites, ownerPage, desk])
}

async function makeCertificate(folder: string, urls: readonly string[]): Promise<string> {
  const certificates = join(folder, 'certificates')
  mkdirSync(certificates, { recursive: true })
  const names = urls.map((url) => `DNS:${new URL(url).hostname}`).join(',')
  const [certificate, key] = [join(certificates, 'fullchain.pem'), join(certificates, 'privkey.pem')]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const subject = ['-subj', '/CN=drill', '-addext', `subjectAltName=${names}`]
  await run('openssl', ['req', '-x509', ...curve, ...subject, '-out', certificate, '-keyout', key])
  for (const file of [certificate, key]) chownSync(file, user, user)
  return certificate
}

export function serviceOf({ composition }: Prepared, name: string): Service {
  const service = composition.services.get(name)
  if (!service) throw new Error(`deploy/compose.yaml has no service ${name}.`)
  return service
}
