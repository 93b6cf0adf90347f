import { existsSync, readFileSync } from 'node:fs'
import { run } from './shell.ts'

/** Debian packages by a file that each installs. */
const packages = {
  debootstrap: '/usr/sbin/debootstrap',
  buildah: '/usr/bin/buildah',
  'systemd-container': '/usr/bin/systemd-nspawn',
  iproute2: '/sbin/ip',
  openssl: '/usr/bin/openssl',
  curl: '/usr/bin/curl',
}

export async function installTools(): Promise<void> {
  const missing = Object.entries(packages).filter(([, file]) => !existsSync(file))
  if (missing.length === 0) return
  const names = missing.map(([name]) => name)
  console.log(`installs ${names.join(', ')}`)
  const quiet = { DEBIAN_FRONTEND: 'noninteractive' }
  // Another installation may be under way.
  const patient = ['-o', 'DPkg::Lock::Timeout=600', '-qq']
  await run('apt-get', [...patient, 'update'], quiet)
  await run('apt-get', [...patient, 'install', '-y', '--no-install-recommends', ...names], quiet)
}

export const debianSources = '/etc/apt/sources.list.d/debian.sources'

/** The mirror of this machine, or nothing for debootstrap's default. */
export function debianMirror(): string[] {
  const sources = existsSync(debianSources) ? readFileSync(debianSources, 'utf8') : ''
  const uri = /^URIs:\s*(\S+)/m.exec(sources)?.[1]
  return uri ? [uri] : []
}
