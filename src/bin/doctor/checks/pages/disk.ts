import { existsSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { type CheckFinding, codeOf, problem, type RunCheck, warning } from '../../check.ts'
import { isLocal, roleUrls } from '../../databases.ts'

/** Least free share, and least free bytes. */
const least = {
  problem: { share: 0.03, bytes: 100 * 2 ** 20 },
  warning: { share: 0.1, bytes: 2 ** 30 },
} as const

const postgresFolder = '/var/lib/postgresql'

export const checkDisk: RunCheck = async (context) => {
  const { PAGES_DIRECTORY, PAGES_STORE } = context.read(['PAGES_DIRECTORY', 'PAGES_STORE'])
  const isDatabaseHere = roleUrls(context).some(({ url }) => isLocal(url)) && existsSync(postgresFolder)
  const places = [
    ...(PAGES_STORE === 'directory' ? [{ path: nearest(PAGES_DIRECTORY), what: 'pages' }] : []),
    ...(isDatabaseHere ? [{ path: postgresFolder, what: 'database' }] : []),
  ]
  const findings = places.flatMap(checkPlace)
  const database = isDatabaseHere ? '' : ' The database is not on this machine.'
  return { summary: `${places.map(({ path, what }) => `${what}: ${freeOf(path)}`).join('; ')}.${database}`, findings }
}

/** The directory, or the lowest existing one above it. */
function nearest(path: string): string {
  try {
    statSync(path)
    return path
  } catch (error) {
    if (codeOf(error) === 'EACCES' || path === '/') return path === '/' ? path : nearest(dirname(path))
    return nearest(dirname(path))
  }
}

function freeOf(path: string): string {
  const { bavail, bsize, blocks } = statfsSync(path)
  return `${size(bavail * bsize)} of ${size(blocks * bsize)} free`
}

const size = (bytes: number) =>
  bytes >= 2 ** 30 ? `${(bytes / 2 ** 30).toFixed(1)} GiB` : `${(bytes / 2 ** 20).toFixed(1)} MiB`

function checkPlace({ path, what }: { path: string; what: string }): CheckFinding[] {
  const { bavail, bsize, blocks, ffree, files } = statfsSync(path)
  const bytes = bavail * bsize
  const show = `du -xh --max-depth=2 ${path} | sort -h | tail -20`
  const inodes = `find ${path} -xdev -printf '%h\\n' | sort | uniq -c | sort -n | tail -20`
  const below = (kind: 'problem' | 'warning') => bytes < least[kind].bytes || bytes / blocks < least[kind].share
  // Some file systems have no fixed number of inodes.
  const scarce = (kind: 'problem' | 'warning') => files > 0 && ffree / files < least[kind].share
  const full = `The file system of the ${what} (${path}) has ${freeOf(path)}.`
  const fewInodes = `The file system of the ${what} (${path}) has ${ffree} of ${files} inodes free.`
  return [
    ...(below('problem')
      ? [problem(full, `Free space or enlarge it. What uses it: ${show}`)]
      : below('warning')
        ? [warning(full, `Free space or enlarge it soon. What uses it: ${show}`)]
        : []),
    ...(scarce('problem')
      ? [problem(fewInodes, `Delete files, or make a file system with more inodes. What uses them: ${inodes}`)]
      : scarce('warning')
        ? [warning(fewInodes, `Plan a file system with more inodes. What uses them: ${inodes}`)]
        : []),
  ]
}
