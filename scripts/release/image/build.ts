import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { debianMirror } from '../../../tooling/debian.ts'
import { repoDir } from '../../../tooling/services/state.ts'
import { run } from '../../../tooling/shell.ts'

export type Built = { name: string; root: string; sizeBytes: number; config: ImageConfig }

/** The part of an image’s configuration that decides how a container runs. */
export type ImageConfig = {
  User: string
  Env: string[]
  Entrypoint: string[]
  Cmd: string[]
  WorkingDir: string
  StopSignal: string
  Volumes: Record<string, object>
  Healthcheck?: { Test: string[] }
}

const names = { base: 'localhost/base:12', node: 'localhost/node:26', image: 'localhost/broadside:drill' }

/**
 * Builds the image from deploy/Dockerfile. No registry of images is needed: a Debian from debootstrap stands for
 * debian:12-slim, and the same Debian with this process’s Node and npm for the image of Node.
 */
export async function buildImage(folder: string, options: Partial<Options> = {}): Promise<Built> {
  const buildah = buildahIn(folder)
  await build(folder, buildah, { bases: folder, ...options })
  const built = await openImage(folder)
  assertNotices(built.root)
  return built
}

/** What must be passed on with the works of others. */
function assertNotices(root: string): void {
  const names = ['opt/broadside/LICENSE', 'opt/broadside/NOTICE.md', 'usr/local/share/doc/node/LICENSE']
  const missing = names.filter((name) => !existsSync(join(root, name)))
  if (missing.length > 0) throw new Error(`The image has no ${missing.join(', ')}.`)
}

type Options = {
  /** Where the Debian and the npm are that images start from; several builds can share them. */
  bases: string
  /** The sources. Without them, those of the working folder. */
  source: string
}

/** The image of an earlier run in this folder. */
export async function openImage(folder: string): Promise<Built> {
  const buildah = buildahIn(folder)
  const config = JSON.parse(await buildah('inspect', '--type', 'image', names.image)).Docker.config as ImageConfig
  const [listed] = JSON.parse(await buildah('images', '--json', names.image)) as { size: string }[]
  const container = await buildah('from', '--pull-never', names.image)
  const root = await buildah('mount', container)
  return { name: names.image, root, sizeBytes: bytes(listed?.size ?? ''), config }
}

async function build(folder: string, buildah: Buildah, options: Partial<Options> & Pick<Options, 'bases'>) {
  await makeBase(options.bases, buildah)
  await makeNodeImage(options.bases, buildah)
  const source = options.source ?? (await exportSource(folder))
  await buildah(
    ...[
      'build',
      '--quiet',
      '--jobs',
      '2',
      '--format',
      'docker',
      '--pull-never',
      '--file',
      join(source, 'deploy/Dockerfile'),
    ],
    ...['--build-arg', `BASE=${names.base}`, '--build-arg', `NODE_IMAGE=${names.node}`, '--tag', names.image, source],
  )
}

type Buildah = (...args: string[]) => Promise<string>

/** File systems on which overlay works: ext4 and xfs. Elsewhere each layer is a full copy, which takes minutes. */
const overlayTypes = [0xef53, 0x58465342]

/** A store of its own. No daemon runs the build; it needs root. */
function buildahIn(folder: string): Buildah {
  const driver = overlayTypes.includes(statfsSync(folder).type) ? 'overlay' : 'vfs'
  const store = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run'), '--storage-driver', driver]
  return (...args) => run('buildah', [...store, ...args], { BUILDAH_ISOLATION: 'chroot' })
}

export async function removeImage(folder: string): Promise<void> {
  await buildahIn(folder)('umount', '--all').catch(() => {})
  await buildahIn(folder)('rm', '--all').catch(() => {})
}

async function makeBase(folder: string, buildah: Buildah): Promise<void> {
  const root = join(folder, 'debian')
  if (!existsSync(root)) {
    // Renamed when complete, so that an interrupted run is not taken for a base.
    const draft = `${root}.draft`
    rmSync(draft, { recursive: true, force: true })
    await run('debootstrap', ['--variant=minbase', 'bookworm', draft, ...debianMirror()])
    renameSync(draft, root)
  }
  // What debian:12-slim does not have either. Licences stay.
  const waste = ['var/cache/apt', 'var/lib/apt/lists', 'var/log', 'usr/share/man', 'usr/share/info', 'usr/share/locale']
  for (const name of waste) for (const file of filesIn(join(root, name))) rmSync(file, { recursive: true })
  // debootstrap copies these two from the machine that builds.
  for (const name of ['etc/hostname', 'etc/resolv.conf']) rmSync(join(root, name), { force: true })
  await run('find', [join(root, 'usr/share/doc'), '-mindepth', '2', '-type', 'f', '!', '-name', 'copyright', '-delete'])
  const settings = ['--cmd', '/bin/sh', '--env', 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin']
  await commit(buildah, { from: 'scratch', as: names.base, copies: [[root, '/']], settings })
}

const filesIn = (folder: string) => (existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [])

/** The official image has this file, too. */
const licenceOfNode = join(repoDir, 'node_modules/node/node_modules', `node-linux-${process.arch}`, 'LICENSE')

async function makeNodeImage(folder: string, buildah: Buildah): Promise<void> {
  const npm = join(folder, 'npm')
  if (!existsSync(join(npm, 'package/bin/npm-cli.js'))) {
    mkdirSync(npm, { recursive: true })
    // The archive of npm contains its dependencies.
    const archive = await run('npm', ['pack', '--silent', '--pack-destination', npm, 'npm@11'])
    await run('tar', ['xzf', join(npm, archive.split('\n').at(-1) ?? ''), '-C', npm])
  }
  // A machine may have a registry or certificate authorities of its own. They stay in this stage.
  const authorities = '/etc/ssl/certs/ca-certificates.crt'
  const registry = await run('npm', ['config', 'get', 'registry'])
  await commit(buildah, {
    from: names.base,
    as: names.node,
    copies: [
      [process.execPath, '/usr/local/bin/node'],
      [licenceOfNode, '/usr/local/LICENSE'],
      [join(npm, 'package'), '/usr/local/lib/node_modules/npm'],
      [authorities, '/etc/node-authorities.pem'],
    ],
    // Node needs this library, which the official image contains.
    commands: [
      'apt-get update -qq && apt-get install -qq -y --no-install-recommends libatomic1',
      'ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && chmod +x /usr/local/lib/node_modules/npm/bin/npm-cli.js',
    ],
    settings: ['--env', 'NODE_EXTRA_CA_CERTS=/etc/node-authorities.pem', '--env', `npm_config_registry=${registry}`],
  })
}

type Layer = {
  from: string
  as: string
  copies: readonly (readonly [from: string, to: string])[]
  commands?: readonly string[]
  settings: readonly string[]
}

async function commit(buildah: Buildah, { from, as, copies, commands = [], settings }: Layer): Promise<void> {
  const known = await buildah('images', '--quiet', as).catch(() => '')
  if (known !== '') return
  const container = await buildah('from', '--pull-never', from)
  for (const [source, target] of copies) await buildah('copy', '--quiet', container, source, target)
  for (const command of commands) await buildah('run', container, 'sh', '-c', command)
  await buildah('config', ...settings, container)
  await buildah('commit', '--quiet', '--rm', container, as)
}

/** The files of the working folder that Git knows or would take, so that the drill also builds what is not committed. */
async function exportSource(folder: string): Promise<string> {
  const source = join(folder, 'source')
  rmSync(source, { recursive: true, force: true })
  mkdirSync(source)
  const pipe =
    'git ls-files -z --cached --others --exclude-standard | tar --null --ignore-failed-read -cf - -T - 2>/dev/null'
  await run('sh', ['-c', `cd "$1" && ${pipe} | tar xf - -C "$2"`, 'sh', repoDir, source])
  rmSync(join(source, 'node_modules'), { recursive: true, force: true })
  return source
}

/** `341 MB` as buildah prints it. */
function bytes(text: string): number {
  const [, number, unit = 'B'] = /^([\d.]+)\s*(\w+)$/.exec(text.trim()) ?? []
  return Number(number) * ({ B: 1, KB: 1e3, MB: 1e6, GB: 1e9 }[unit] ?? Number.NaN)
}
