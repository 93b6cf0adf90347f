import { execFile } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  copyFileSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statfsSync,
} from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const imageBytes = 512 * 1024 * 1024

/**
 * An ext4 file system in a file, mounted by a loop device. What the kernel has not written to the file yet is lost when
 * a copy of the file is mounted instead, as in a power loss.
 */
export async function openDisk() {
  const folder = mkdtempSync(join(tmpdir(), 'broadside-disk-'))
  // The gateway runs as its own user and reads the pages.
  chmodSync(folder, 0o755)
  const mountPoint = join(folder, 'mounted')
  mkdirSync(mountPoint)
  let image = join(folder, 'disk-0.img')
  const file = openSync(image, 'w')
  ftruncateSync(file, imageBytes)
  closeSync(file)
  // Many small files: one inode per 4 KB.
  await run('mkfs.ext4', ['-q', '-i', '4096', image])
  const mount = () => run('mount', ['-o', 'loop,commit=30', image, mountPoint])
  await mount()
  let losses = 0
  const ballast = join(mountPoint, 'ballast')
  return {
    mountPoint,
    /** Takes all free space. */
    fill: async () => {
      const { bavail, bsize } = statfsSync(mountPoint)
      await run('fallocate', ['-l', String(bavail * bsize), ballast]).catch(() => {})
      // What fallocate left over.
      await writeFile(join(mountPoint, 'ballast-rest'), Buffer.alloc(64 * 1024 * 1024)).catch(() => {})
    },
    empty: () => {
      rmSync(ballast, { force: true })
      rmSync(join(mountPoint, 'ballast-rest'), { force: true })
    },
    /** Copies what is on the disk now. Nothing may write meanwhile. */
    copy: () => copyFileSync(image, join(folder, `disk-${++losses}.img`)),
    /** Continues with the last copy, as after a power loss. No process may have a file open. */
    restart: async () => {
      await run('umount', ['--lazy', mountPoint])
      rmSync(image)
      image = join(folder, `disk-${losses}.img`)
      await mount()
    },
    [Symbol.asyncDispose]: async () => {
      await run('umount', ['--lazy', mountPoint])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
