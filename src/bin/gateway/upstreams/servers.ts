import { lines } from '../template.ts'

/** Processes behind the gateway: on ports of its own machine, or elsewhere as host:port. */
export type Servers = { ports: readonly number[] } | { hosts: readonly string[] }

/** The lines of an nginx upstream. */
export function renderServerLines(servers: Servers, keepalive: number): string {
  if ('ports' in servers) {
    const local = lines(servers.ports, (port) => `server 127.0.0.1:${port} max_fails=0;`)
    return `${local}\nkeepalive ${keepalive};\nkeepalive_requests 100000;`
  }
  return [renderHosts(servers.hosts), lastResort(servers.hosts)].join('\n')
}

/**
 * A slow answer counts as a failure too. If no host is left, nginx would refuse everything for seconds; instead, it asks
 * them all the same.
 */
const lastResort = (hosts: readonly string[]) =>
  hosts.length > 1 ? lines(hosts, (host) => `server ${host} backup max_fails=0;`) : ''

/**
 * A host may vanish without a word. A new connection finds that out within the timeout for connections; an idle one that
 * was kept would not, so none is kept. The ceiling lets so few requests through that this costs nothing.
 */
export const renderHosts = (hosts: readonly string[]) =>
  lines(hosts, (host) => `server ${host} max_fails=2 fail_timeout=4s;`)
