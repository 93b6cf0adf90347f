import { execFileSync } from 'node:child_process'
import { currentVersion } from './version/places.ts'

/** What a release is built from. Everything in its files derives from the commit. */
export type Release = {
  version: string
  commit: string
  /** The time of the commit, for SOURCE_DATE_EPOCH. */
  epoch: number
  date: Date
}

export function releaseOf(root: string): Release {
  const [commit = '', time] = git(root, 'log', '-1', '--format=%H %ct').split(' ')
  const epoch = Number(time)
  return { version: currentVersion(root), commit, epoch, date: new Date(epoch * 1_000) }
}

/** The paths that differ from the commit, as `git status` prints them. */
export const uncommitted = (root: string): string[] => git(root, 'status', '--porcelain').split('\n').filter(Boolean)

export const git = (root: string, ...args: string[]): string =>
  execFileSync('git', ['-C', root, ...args], { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 }).trimEnd()
