import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installTools } from '../../../tooling/debian.ts'
import { flag, readOptions } from '../../../tooling/script-options.ts'
import { type Built, buildImage, openImage, removeImage } from '../../release/image/build.ts'
import { programOf, runContainer } from './container.ts'
import { returnAfterReboot, untilTrusted, type Visitor, walkJourney } from './journey.ts'
import { within } from './network.ts'
import { type Prepared, preparePlace, renewCertificate, serviceOf, user } from './place.ts'
import { checkSandbox } from './sandbox.ts'
import { boot, type Running, repeatJobs, shutDown, startAll } from './services.ts'

const maxImageBytes = 350e6

export const imageDrill = {
  run: async (args: readonly string[]) => {
    const { reuse } = readOptions(args, { reuse: flag })
    if (process.getuid?.() !== 0) throw new Error('This drill needs root: namespaces, buildah and systemd-nspawn.')
    const startedAt = performance.now()
    const minutes = () => `${((performance.now() - startedAt) / 60_000).toFixed(1)} min`
    await installTools()
    // With a folder of its own, a run keeps its images, and the next one can start from them: `--reuse`.
    const kept = process.env['DRILL_FOLDER']
    if (kept) mkdirSync(kept, { recursive: true })
    const folder = kept ?? mkdtempSync(join(tmpdir(), 'broadside-image-'))
    chmodSync(folder, 0o755)
    await using cleaning = new AsyncDisposableStack()
    cleaning.defer(async () => {
      await removeImage(folder)
      if (!kept) rmSync(folder, { recursive: true, force: true })
    })
    try {
      await rehearse(folder, { isBuilt: reuse, minutes, cleaning })
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
  console.log(`${isBuilt ? 'opened' : 'built'} after ${minutes()}`)
  const place = await preparePlace(built, { logs: join(folder, 'logs'), cleaning })
  const running = await startAll(place, cleaning)
  console.log(`all services are healthy after ${minutes()}`)
  await checkSandbox(place, running)
  const visitor = visitorOf(place)
  const journey = await walkJourney(visitor)
  console.log(`first post read at ${journey.postUrl}, ${journey.seconds.toFixed(0)} s after the first request`)
  await reboot(place, running)
  await returnAfterReboot(visitor, journey)
  await changeWhileRunning(place, { running, visitor })
  console.log(`done after ${minutes()}`)
}

async function reboot(place: Prepared, running: Running): Promise<void> {
  const { slowest, seconds } = await shutDown(running)
  console.log(`shutdown: all ended within their grace periods, the last after ${Math.ceil(seconds)} s (${slowest})`)
  const bootedAt = performance.now()
  const restarted = await boot(place, running)
  const bootSeconds = Math.ceil((performance.now() - bootedAt) / 1_000)
  console.log(`boot: all services are healthy after ${bootSeconds} s; started again: ${restarted.join(', ') || 'none'}`)
  await checkSandbox(place, running)
}

type Scene = { running: Running; visitor: Visitor }

/** What docs/containers.md says about later: `up` again, a renewed certificate, the second phase of an upgrade. */
async function changeWhileRunning(place: Prepared, { running, visitor }: Scene): Promise<void> {
  await repeatJobs(place)
  console.log('the jobs ran again beside the running services')
  const gateway = running.get('gateway')
  await renewCertificate(place)
  if (gateway) process.kill(programOf(gateway), 'SIGHUP')
  await untilTrusted(visitor)
  console.log('the gateway uses the renewed certificate after SIGHUP')
  const migrate = serviceOf(place, 'migrate')
  console.log(`migrate --after-deploy: ${await runContainer(migrate, place, ['migrate', '--after-deploy'])}`)
}

function reportImage({ sizeBytes, config }: Built): void {
  console.log(
    `image: ${Math.round(sizeBytes / 1e6)} MB, user ${config.User}, health check ${config.Healthcheck?.Test.join(' ')}`,
  )
  if (!(sizeBytes < maxImageBytes)) throw new Error(`The image must be smaller than ${maxImageBytes / 1e6} MB.`)
  if (config.User !== `${user}:${user}`) throw new Error('The image must run as its own user.')
  if (!config.Healthcheck) throw new Error('The image has no health check.')
}

function visitorOf(place: Prepared): Visitor {
  const { network, certificate, sites, ownerPage, desk } = place
  return {
    ...{ outside: network.outside, certificate, sites, ownerPage, desk },
    gateway: `${network.addressOf('gateway', 'edge')}:8443`,
    cookies: join(place.folder, 'cookies'),
    operate: (command) => runContainer(serviceOf(place, 'operator'), place, command),
    readMail: async () =>
      JSON.parse(await within(network.namespaceOf('mail'), 'curl', '--silent', 'http://127.0.0.1:8025/email')),
  }
}
