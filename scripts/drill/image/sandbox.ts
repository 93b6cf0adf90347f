import { readFileSync } from 'node:fs'
import { execIn, programOf, type Started } from './container.ts'
import { type Prepared, user } from './place.ts'
import type { Running } from './services.ts'

/** Looks from inside whether the restrictions of the composition hold. */
export async function checkSandbox(place: Prepared, running: Running): Promise<void> {
  const containerOf = (name: string) => {
    const started = running.get(name)
    if (!started) throw new Error(`${name} does not run.`)
    return started
  }
  const names = ['api1', 'api2', 'worker', 'model', 'owner-page', 'desk', 'cards', 'gateway']
  for (const name of names) await checkConfinement(containerOf(name), place)
  console.log('each process: uid 10001, no capabilities, no new privileges, read-only root')
  for (const name of names) {
    const isClient = 'data' in containerOf(name).service.networks
    if ((await reachesDatabase(containerOf(name), place)) !== isClient)
      throw new Error(`${name} ${isClient ? 'does not reach' : 'reaches'} the database.`)
  }
  console.log('the gateway, the model and the cards cannot reach the database')
}

async function checkConfinement(started: Started, place: Prepared): Promise<void> {
  const status = readFileSync(`/proc/${programOf(started)}/status`, 'utf8')
  const field = (key: string) => new RegExp(`^${key}:\\s+(\\S+)`, 'm').exec(status)?.[1]
  const isConfined = field('Uid') === String(user) && /^0+$/.test(field('CapBnd') ?? '1') && field('NoNewPrivs') === '1'
  const isReadOnly = await execIn(started, place, ['touch', '/opt/broadside/x']).then(
    () => false,
    (error: Error) => /Read-only file system/.test(error.message),
  )
  if (!isConfined || !isReadOnly) throw new Error(`${started.service.name} is not confined:\n${status}`)
}

const connecting = `
const say = (word) => () => { console.log(word); process.exit() }
require('node:net').connect({ host: process.argv[1], port: 5432, timeout: 3000 })
  .once('connect', say('open')).once('timeout', say('closed')).once('error', say('closed'))`

async function reachesDatabase(started: Started, place: Prepared): Promise<boolean> {
  const address = place.network.addressOf('postgres', 'data')
  return (await execIn(started, place, ['node', '--eval', connecting, address])) === 'open'
}
