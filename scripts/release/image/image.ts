import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createWriteStream, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { installTools } from '../../../tooling/debian.ts'
import { run } from '../../../tooling/shell.ts'
import type { Release } from '../release.ts'
import { type Built, buildImage, removeImage } from './build.ts'

const imageFile = ({ version }: Release) => `broadside-image-${version}-${process.arch}.tar`

export type ImageInput = {
  /** The sources of the commit. */
  source: string
  out: string
  /** Where the bases of images are kept from one build to the next. */
  bases: string
}

/**
 * Builds the image from deploy/Dockerfile and writes it as an archive that `docker load`, `podman load` and skopeo read.
 * buildah writes times and its own version into an image, so only its files and settings are taken over.
 */
export async function writeImage(release: Release, { source, out, bases }: ImageInput): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'broadside-image-'))
  await using cleaning = new AsyncDisposableStack()
  cleaning.defer(() => rmSync(folder, { recursive: true, force: true }))
  cleaning.defer(() => removeImage(folder))
  await installTools()
  const built = await buildImage(folder, { bases, source })
  const layout = join(folder, 'layout')
  await writeLayout(built, { release, layout })
  const archive = join(out, imageFile(release))
  await run('tar', ['-C', layout, ...fixed(release), '--format=ustar', '-cf', archive, '.'])
}

/** Options of GNU tar for entries in one order, of one time and without names of users. */
const fixed = ({ epoch }: Release) => ['--sort=name', `--mtime=@${epoch}`, '--numeric-owner']

/** The OCI image layout, and the manifest.json of `docker save` for older versions of Docker. */
async function writeLayout(built: Built, { release, layout }: { release: Release; layout: string }): Promise<void> {
  const blobs = join(layout, 'blobs/sha256')
  mkdirSync(blobs, { recursive: true })
  const put = async (mediaType: string, value: unknown) => {
    const text = JSON.stringify(value)
    const digest = createHash('sha256').update(text).digest('hex')
    await writeFile(join(blobs, digest), text)
    return { mediaType, digest: `sha256:${digest}`, size: Buffer.byteLength(text) }
  }
  const { diffId, ...layer } = await writeLayer(built.root, { release, blobs })
  const config = await put('application/vnd.oci.image.config.v1+json', configOf(built, release, diffId))
  const manifestType = 'application/vnd.oci.image.manifest.v1+json'
  const manifest = await put(manifestType, { schemaVersion: 2, mediaType: manifestType, config, layers: [layer] })
  const name = `broadside:${release.version}`
  const annotations = { 'io.containerd.image.name': name, 'org.opencontainers.image.ref.name': release.version }
  const index = { schemaVersion: 2, manifests: [{ ...manifest, annotations }] }
  const blobPath = ({ digest }: { digest: string }) => `blobs/sha256/${digest.slice('sha256:'.length)}`
  const legacy = [{ Config: blobPath(config), RepoTags: [name], Layers: [blobPath(layer)] }]
  await writeFile(join(layout, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }))
  await writeFile(join(layout, 'index.json'), JSON.stringify(index))
  await writeFile(join(layout, 'manifest.json'), JSON.stringify(legacy))
  await run('chmod', ['-R', 'u=rwX,go=rX', layout])
}

function configOf({ config }: Built, { version, commit, date }: Release, diffId: string) {
  const { User, Env, Entrypoint, Cmd, WorkingDir, StopSignal, Volumes, Healthcheck } = config
  const created = date.toISOString()
  const label = (values: Record<string, string>) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [`org.opencontainers.image.${name}`, value]))
  const Labels = label({ title: 'Broadside', version, revision: commit, created, licenses: 'Apache-2.0' })
  return {
    created,
    architecture: process.arch === 'x64' ? 'amd64' : process.arch,
    os: 'linux',
    config: { User, Env, Entrypoint, Cmd, WorkingDir, StopSignal, Volumes, Healthcheck, Labels },
    rootfs: { type: 'layers', diff_ids: [diffId] },
    history: [{ created, created_by: 'deploy/Dockerfile' }],
  }
}

/** The files of the image as one compressed layer. */
async function writeLayer(root: string, { release, blobs }: { release: Release; blobs: string }) {
  const names = '--pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime'
  const tar = spawn('tar', ['-C', root, ...fixed(release), '--format=pax', names, '-cf', '-', '.'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [content, compressed] = [createHash('sha256'), createHash('sha256')]
  const draft = join(blobs, 'draft')
  let size = 0
  const [code] = await Promise.all([
    new Promise<number | null>((resolve) => tar.once('exit', resolve)),
    pipeline(
      tar.stdout,
      observe((chunk) => content.update(chunk)),
      createGzip({ level: 6 }),
      observe((chunk) => {
        compressed.update(chunk)
        size += chunk.length
      }),
      createWriteStream(draft),
    ),
  ])
  if (code !== 0) throw new Error(`tar ended with ${code}.`)
  const digest = compressed.digest('hex')
  renameSync(draft, join(blobs, digest))
  const mediaType = 'application/vnd.oci.image.layer.v1.tar+gzip'
  return { mediaType, digest: `sha256:${digest}`, size, diffId: `sha256:${content.digest('hex')}` }
}

const observe = (see: (chunk: Buffer) => void) =>
  new Transform({
    transform(chunk, _, done) {
      see(chunk)
      done(null, chunk)
    },
  })
