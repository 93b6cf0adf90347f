import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Part } from './allowed.ts'

type Locked = { name?: string; version: string; license?: string; dev?: boolean; link?: boolean }

export type NpmPackage = Part & {
  /** The licence in the package.json of the installed package; `null` if it is not installed, for another platform. */
  installedLicence: string | undefined | null
  hasLicenceFile: boolean
}

/** Every npm package of the lockfile, with the licence that the registry and the package itself name. */
export function npmPackages(root: string): NpmPackage[] {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> }
  return Object.entries(lock.packages)
    .filter(([path, locked]) => path.includes('node_modules/') && !locked.link)
    .map(([path, locked]) => ({
      name: locked.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      licence: locked.license,
      use: locked.dev ? 'not-shipped' : 'shipped',
      ...readInstalled(join(root, path)),
    }))
}

function readInstalled(folder: string): Pick<NpmPackage, 'installedLicence' | 'hasLicenceFile'> {
  if (!existsSync(join(folder, 'package.json'))) return { installedLicence: null, hasLicenceFile: false }
  const { license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { license?: unknown }
  return {
    installedLicence: typeof license === 'string' ? license : undefined,
    hasLicenceFile: readdirSync(folder).some((name) => /^(?:licen[cs]e|copying)/i.test(name)),
  }
}

/** Lockfile and package must agree: a registry can name another licence than the files that it delivers. */
export const disagreements = (packages: readonly NpmPackage[]): string[] =>
  packages
    .filter(({ licence, installedLicence }) => installedLicence !== null && installedLicence !== licence)
    .map(
      ({ name, licence, installedLicence }) =>
        `${name} has ${licence} in package-lock.json and ${installedLicence} in its package.json. Read its licence file.`,
    )
