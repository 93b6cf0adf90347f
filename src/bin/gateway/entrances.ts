import { join } from 'node:path'
import { CommandError } from '../command.ts'
import type { Gateway } from './gateway.ts'
import { lines, quotePlain, render, renderPart } from './template.ts'

/**
 * How a connection comes into the http block: from the client itself, or from a trusted proxy, whose X-Forwarded-For
 * names the client.
 */
export type Entrance = 'direct' | 'proxied'

export const entrancesOf = ({ trustedProxies = [] }: Gateway): Entrance[] =>
  trustedProxies.length === 0 ? ['direct'] : ['direct', 'proxied']

/** The stream block, which listens on the addresses and passes connections on through sockets. */
export function renderStream(gateway: Gateway): string {
  const { trustedProxies = [], proxyProtocol = false, limits } = gateway
  return render('stream.part', {
    client_network: renderPart('client-network'),
    trusted_peers: proxyProtocol ? lines(trustedProxies, (proxy) => `set_real_ip_from ${proxy};`) : '',
    trusted_proxies: lines(trustedProxies, (proxy) => `${proxy} 1;`),
    connections: limits.connections,
    header_seconds: limits.headerSeconds,
    entrances: lines(addressGroups(gateway), (group) => renderGroup(gateway, group)),
  })
}

function renderGroup(gateway: Gateway, listen: readonly string[]): string {
  const number = numberOf(gateway, listen)
  const options = gateway.proxyProtocol ? ' backlog=4096 proxy_protocol' : ' backlog=4096'
  return [
    ...entrancesOf(gateway).map(
      (entrance) => `upstream ${entrance}_${number} { server ${socketOf(gateway, { entrance, listen })}; }`,
    ),
    'server {',
    ...listen.map((where) => `  listen ${where}${options};`),
    `  proxy_pass \${entrance}_${number};`,
    '}',
  ].join('\n')
}

type Listening = { entrance: Entrance; listen: readonly string[]; isDefault: boolean }

/** The lines by which a server of the http block takes what comes through an entrance for these addresses. */
export function renderListen(gateway: Gateway, { entrance, listen, isDefault }: Listening): string {
  const options = [
    ...(gateway.tls ? ['ssl http2'] : []),
    'proxy_protocol',
    // nginx accepts a backlog only once for each socket.
    ...(isDefault ? ['default_server backlog=4096'] : []),
  ]
  const socket = `listen ${socketOf(gateway, { entrance, listen })} ${options.join(' ')};`
  return entrance === 'direct' ? socket : `${socket}\nreal_ip_header X-Forwarded-For;\nreal_ip_recursive on;`
}

/** Linux accepts names of sockets up to this length. */
const maxSocketBytes = 107

const socketOf = (gateway: Gateway, { entrance, listen }: Omit<Listening, 'isDefault'>): string =>
  socketPath(gateway, `${entrance}_${numberOf(gateway, listen)}`)

/** A socket of this nginx, which only its own workers can reach. */
export function socketPath({ directory }: Gateway, name: string): string {
  const path = join(directory, 'sockets', name)
  if (Buffer.byteLength(path) > maxSocketBytes)
    throw new CommandError(`Use a folder with a shorter path for the gateway. This is too long for a socket: ${path}`)
  return quotePlain(`unix:${path}`)
}

/** The distinct lists of addresses. In production there is one, in development one for each origin. */
function addressGroups({ sites, ownerPage, desk, strangers }: Gateway): (readonly string[])[] {
  const lists = [...sites, ownerPage, desk, ...(strangers ? [strangers] : [])].map(({ listen }) => listen)
  return lists.filter((list, index) => lists.findIndex((other) => isSame(other, list)) === index)
}

const numberOf = (gateway: Gateway, listen: readonly string[]) =>
  addressGroups(gateway).findIndex((group) => isSame(group, listen)) + 1

const isSame = (one: readonly string[], other: readonly string[]) => one.join(' ') === other.join(' ')
