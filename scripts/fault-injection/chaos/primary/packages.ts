import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { CommandError } from '../../../../src/bin/command.ts'

/** Each program of the cluster, and the Debian package that contains it. */
const programs = {
  '/usr/bin/patroni': 'patroni',
  '/usr/bin/etcd': 'etcd-server',
  '/usr/bin/etcdctl': 'etcd-client',
  '/usr/sbin/haproxy': 'haproxy',
  '/usr/sbin/nft': 'nftables',
} as const
const services = ['patroni', 'etcd', 'haproxy']

/**
 * Installs what is missing. The run starts its own servers; the services that the packages start would only occupy ports
 * and memory, so those of packages installed here are disabled.
 */
export function installCluster(): void {
  const missing = Object.entries(programs).filter(([path]) => !existsSync(path))
  if (missing.length === 0) return
  const packages = missing.map(([, name]) => name)
  if (spawnSync('which', ['apt-get']).status !== 0)
    throw new CommandError(`This run needs ${packages.join(', ')}. Install them with your package manager.`)
  console.error(`Installing ${packages.join(', ')} …`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args: string[]) =>
    execFileSync('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=300', ...args], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  apt('update')
  apt('install', '-y', '--no-install-recommends', ...packages)
  if (!existsSync('/run/systemd/system')) return
  for (const service of services.filter((name) => packages.some((one) => one.startsWith(name))))
    spawnSync('systemctl', ['disable', '--now', service])
}
