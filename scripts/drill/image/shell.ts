import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** Runs a program and returns what it printed. Fails with its last lines if it fails. */
export async function run(program: string, args: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const options = { maxBuffer: 64 * 1024 * 1024, env: { ...process.env, ...environment } }
  try {
    const { stdout } = await execute(program, args, options)
    return stdout.trim()
  } catch (error) {
    const { stderr = '', stdout = '' } = error as { stderr?: string; stdout?: string }
    const last = `${stdout}\n${stderr}`.trim().split('\n').slice(-25).join('\n')
    throw new Error(`${program} ${args.join(' ')} failed:\n${last}`)
  }
}

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
