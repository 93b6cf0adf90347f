import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../../tooling/shell.ts'
import type { Composition, Service } from './compose.ts'

const prefix = 'bsimage'
const switchName = `${prefix}-switch`
/** The machine of a visitor: its address in every public network. */
const visitor = 250

export type Network = {
  /** The network namespace of a service. */
  namespaceOf: (service: string) => string
  addressOf: (service: string, network: string) => string
  /** The namespace from which visitors reach the published ports. */
  outside: string
  /** A file with the names that a service can look up, as the DNS of Docker answers them. */
  hostsFileOf: (service: string) => string
}

/**
 * A bridge for each network of the composition and a network namespace for each service, connected as the composition
 * says. Nothing in it reaches the real network.
 */
export async function openNetwork(folder: string, { services, networks }: Composition): Promise<Network> {
  await closeNetwork()
  const names = [...networks.keys()]
  const subnetOf = (network: string) =>
    (networks.get(network)?.subnet ?? `10.91.${names.indexOf(network) + 1}.0/24`).replace(/0\/24$/, '')
  const addressOf = (name: string, network: string) =>
    services.get(name)?.networks[network] ?? `${subnetOf(network)}${[...services.keys()].indexOf(name) + 100}`
  await ip('netns', 'add', switchName)
  await within(switchName, 'ip', 'link', 'set', 'lo', 'up')
  for (const [index, network] of names.entries()) {
    await within(switchName, 'ip', 'link', 'add', `br${index}`, 'type', 'bridge')
    await within(switchName, 'ip', 'link', 'set', `br${index}`, 'up')
    if (network === 'edge')
      await within(switchName, 'ip', 'addr', 'add', `${subnetOf(network)}${visitor}/24`, 'dev', `br${index}`)
  }
  for (const [number, service] of [...services.values()].entries()) {
    await ip('netns', 'add', namespaceOf(service.name))
    await within(namespaceOf(service.name), 'ip', 'link', 'set', 'lo', 'up')
    for (const [place, network] of Object.keys(service.networks).entries()) {
      const [near, bridge] = [`v${number}-${place}`, `br${names.indexOf(network)}`]
      const far = ['peer', 'name', `eth${place}`, 'netns', namespaceOf(service.name)]
      await within(switchName, 'ip', 'link', 'add', near, 'type', 'veth', ...far)
      await within(switchName, 'ip', 'link', 'set', near, 'master', bridge, 'up')
      const address = `${addressOf(service.name, network)}/24`
      await within(namespaceOf(service.name), 'ip', 'addr', 'add', address, 'dev', `eth${place}`)
      await within(namespaceOf(service.name), 'ip', 'link', 'set', `eth${place}`, 'up')
    }
  }
  mkdirSync(join(folder, 'hosts'), { recursive: true })
  const hostsFileOf = (name: string) => join(folder, 'hosts', name)
  for (const service of services.values()) writeFileSync(hostsFileOf(service.name), hosts(service, services, addressOf))
  return { namespaceOf, addressOf, outside: switchName, hostsFileOf }
}

const namespaceOf = (service: string) => `${prefix}-${service}`

/** Every service on a common network, by its name. */
function hosts(service: Service, services: Composition['services'], addressOf: Network['addressOf']): string {
  const lines = [...services.values()].flatMap((other) => {
    const common = Object.keys(other.networks).find((network) => network in service.networks)
    return common ? [`${addressOf(other.name, common)} ${other.name}`] : []
  })
  return `127.0.0.1 localhost\n${lines.join('\n')}\n`
}

export async function closeNetwork(): Promise<void> {
  const names = (await ip('netns', 'list')).split('\n').map((line) => line.split(' ')[0] ?? '')
  for (const name of names) if (name.startsWith(`${prefix}-`)) await ip('netns', 'del', name)
}

const ip = (...args: string[]) => run('ip', args)
export const within = (namespace: string, program: string, ...args: string[]) =>
  run('ip', ['netns', 'exec', namespace, program, ...args])
