import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import { repoDir } from '../../../tooling/services/state.ts'
import { type Built, buildImage, openImage, removeImage } from './build.ts'
import { type Composition, inStartOrder, readComposition, type Service, volumePath } from './compose.ts'
import { execIn, type Place, runContainer, type Started, startContainer, stopContainer } from './container.ts'
import { walkJourney } from './journey.ts'
import { closeNetwork, openNetwork, within } from './network.ts'
import { installTools, run } from './shell.ts'
import { startMailService, startPostgresService } from './stand-ins.ts'

const user = 10_001
const maxImageBytes = 350e6

export const imageDrill = {
  summary: 'builds the image, runs the processes of deploy/compose.yaml from it, and publishes a first post over TLS',
  run: async (args: readonly string[]) => {
    if (process.getuid?.() !== 0) throw new Error('This drill needs root: namespaces, buildah and systemd-nspawn.')
    const startedAt = performance.now()
    const minutes = () => `${((performance.now() - startedAt) / 60_000).toFixed(1)} min`
    await installTools()
    // With a folder of its own, a run keeps its images, and the next one can start from them: `--reuse`.
    const kept = process.env['DRILL_FOLDER']
    const folder = kept ?? mkdtempSync(join(tmpdir(), 'broadside-image-'))
    chmodSync(folder, 0o755)
    await using cleaning = new AsyncDisposableStack()
    cleaning.defer(async () => {
      await removeImage(folder)
      if (!kept) rmSync(folder, { recursive: true, force: true })
    })
    try {
      await rehearse(folder, { isBuilt: args.includes('--reuse'), minutes, cleaning })
    } catch (error) {
      // Cleaning takes minutes on a busy machine; the reason comes first.
      console.error(error)
      process.exitCode = 1
    }
  },
}

type Rehearsal = { isBuilt: boolean; minutes: () => string; cleaning: AsyncDisposableStack }

async function rehearse(folder: string, { isBuilt, minutes, cleaning }: Rehearsal): Promise<void> {
  const built = isBuilt ? await openImage(folder) : await buildImage(folder)
  reportImage(built)
  console.log(`built after ${minutes()}`)
  const place = await preparePlace(built, cleaning)
  const running = await startAll(place, cleaning)
  console.log(`all services are healthy after ${minutes()}`)
  await checkSandbox(place, running)
  const gateway = `${place.network.addressOf('gateway', 'edge')}:8443`
  const operator = serviceOf(place, 'operator')
  const { postUrl, seconds } = await walkJourney({
    ...{ outside: place.network.outside, gateway, certificate: join(place.folder, 'certificates/fullchain.pem') },
    site: place.sites[0] ?? '',
    operate: (command) => runContainer(operator, place, command),
  })
  console.log(`first post read at ${postUrl}, ${seconds.toFixed(0)} s after the first request`)
  console.log(`done after ${minutes()}`)
}

function reportImage({ sizeBytes, config }: Built): void {
  console.log(
    `image: ${Math.round(sizeBytes / 1e6)} MB, user ${config.User}, health check ${config.Healthcheck?.Test.join(' ')}`,
  )
  if (!(sizeBytes < maxImageBytes)) throw new Error(`The image must be smaller than ${maxImageBytes / 1e6} MB.`)
  if (config.User !== `${user}:${user}`) throw new Error('The image must run as its own user.')
  if (!config.Healthcheck) throw new Error('The image has no health check.')
}

type Prepared = Place & { composition: Composition; sites: string[] }

/** Does what docs/containers.md asks of the operator before `up`: settings, secrets, certificate. */
async function preparePlace(built: Built, cleaning: AsyncDisposableStack): Promise<Prepared> {
  const own = mkdtempSync(join(tmpdir(), 'broadside-compose-'))
  chmodSync(own, 0o755)
  cleaning.defer(() => rmSync(own, { recursive: true, force: true }))
  const environmentFile = join(own, 'compose.env')
  copyFileSync(join(repoDir, 'deploy/compose.env.example'), environmentFile)
  const secretsFolder = join(own, 'secrets')
  await run(join(repoDir, 'deploy/container/make-secrets'), [secretsFolder])
  const settings = parseEnv(readFileSync(environmentFile, 'utf8')) as Record<string, string>
  const sites = [...(settings['SITES'] ?? '').matchAll(/https:\S+/g)].map(([url]) => url)
  await makeCertificate(own, [...sites, settings['ACCOUNT_PAGE_URL'] ?? '', settings['DESK_URL'] ?? ''])
  const composition = readComposition(environmentFile)
  for (const { source } of [...composition.services.values()].flatMap(({ volumes }) => volumes))
    if (!source.startsWith('.')) mkdirSync(volumePath(own, source), { recursive: true })
  // A new volume gets the owner of the folder in the image.
  for (const volume of ['pages', 'erasures']) chownSync(volumePath(own, volume), user, user)
  const network = await openNetwork(own, composition)
  cleaning.defer(closeNetwork)
  return { folder: own, root: built.root, config: built.config, network, secretsFolder, composition, sites }
}

async function makeCertificate(folder: string, urls: readonly string[]): Promise<void> {
  const certificates = join(folder, 'certificates')
  mkdirSync(certificates)
  const names = urls.map((url) => `DNS:${new URL(url).hostname}`).join(',')
  const [certificate, key] = [join(certificates, 'fullchain.pem'), join(certificates, 'privkey.pem')]
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const subject = ['-subj', '/CN=drill', '-addext', `subjectAltName=${names}`]
  await run('openssl', ['req', '-x509', ...curve, ...subject, '-out', certificate, '-keyout', key])
  for (const file of [certificate, key]) chownSync(file, user, user)
}

function serviceOf({ composition }: Prepared, name: string): Service {
  const service = composition.services.get(name)
  if (!service) throw new Error(`deploy/compose.yaml has no service ${name}.`)
  return service
}

/** Starts the services in the order of `depends_on`, each when its conditions are met, and waits until all are healthy. */
async function startAll(place: Prepared, cleaning: AsyncDisposableStack): Promise<Map<string, Started>> {
  const running = new Map<string, Started>()
  const start = async (service: Service) => {
    for (const [name, condition] of Object.entries(service.dependsOn)) {
      const other = running.get(name)
      if (other && condition === 'service_healthy') await untilHealthy(other, place)
      if (other && condition === 'service_completed_successfully') await untilCompleted(other)
    }
    const started = await startService(service, place)
    cleaning.defer(() => stopContainer(started))
    running.set(service.name, started)
  }
  await start(serviceOf(place, 'mail'))
  for (const service of inStartOrder(place.composition.services)) await start(service)
  for (const started of running.values()) if (started.service.health) await untilHealthy(started, place)
  return running
}

async function startService(service: Service, place: Prepared): Promise<Started> {
  if (service.name === 'postgres') return await startPostgresService(service, place)
  if (service.name === 'mail') return startMailService(service, place)
  return startContainer(service, place)
}

async function untilCompleted(started: Started): Promise<void> {
  const code = await started.ended
  if (code !== 0) throw new Error(`${started.service.name} ended with ${code}:\n${lastLines(started)}`)
}

async function untilHealthy(started: Started, place: Prepared): Promise<void> {
  const { service } = started
  for (let tries = 0; tries < 180; tries += 1) {
    if (started.child.exitCode !== null) throw new Error(`${service.name} ended:\n${lastLines(started)}`)
    const isHealthy = await check(started, place).then(
      () => true,
      () => false,
    )
    if (isHealthy) return
    await pause(1_000)
  }
  throw new Error(`${service.name} is not healthy after three minutes:\n${lastLines(started)}`)
}

/** The health check of the service, run inside its container; for PostgreSQL in its network. */
async function check(started: Started, place: Prepared): Promise<void> {
  const { service } = started
  if (!service.health) return
  if (service.name === 'postgres') await within(place.network.namespaceOf('postgres'), ...pair(service.health))
  else await execIn(started, place, service.health)
}

const pair = ([program = '', ...args]: readonly string[]) => [program, ...args] as [string, ...string[]]

/** Looks from inside whether the restrictions of the composition hold. */
async function checkSandbox(place: Prepared, running: ReadonlyMap<string, Started>): Promise<void> {
  for (const name of ['api1', 'worker', 'model', 'owner-page', 'desk', 'gateway']) {
    const started = running.get(name)
    if (!started) throw new Error(`${name} does not run.`)
    const status = await execIn(started, place, ['cat', '/proc/2/status'])
    const field = (key: string) => new RegExp(`^${key}:\\s+(\\S+)`, 'm').exec(status)?.[1]
    const isConfined =
      field('Uid') === String(user) && /^0+$/.test(field('CapBnd') ?? '1') && field('NoNewPrivs') === '1'
    const isReadOnly = await execIn(started, place, ['touch', '/opt/broadside/x']).then(
      () => false,
      (error: Error) => /Read-only file system/.test(error.message),
    )
    if (!isConfined || !isReadOnly) throw new Error(`${name} is not confined:\n${status}`)
  }
  console.log('each process: uid 10001, no capabilities, no new privileges, read-only root')
  const database = place.network.addressOf('postgres', 'data')
  for (const name of ['gateway', 'model'])
    if (await reaches(place, name, database)) throw new Error(`${name} reaches the database.`)
  if (!(await reaches(place, 'api1', database))) throw new Error('api1 does not reach the database.')
  console.log('the gateway and the model cannot reach the database')
}

/** A connection that is accepted stays open until curl gives up. */
const reaches = (place: Prepared, name: string, address: string) => {
  const call = ['--silent', '--show-error', '--max-time', '3', `telnet://${address}:5432`]
  return within(place.network.namespaceOf(name), 'curl', ...call).then(
    () => true,
    (error: Error) => /Operation timed out/.test(error.message),
  )
}

function lastLines({ log }: Started): string {
  return execFileSync('tail', ['-n', '20', log], { encoding: 'utf8' })
}
