import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Everything in the repository has one version: that of package.json. These files repeat it, each where its pattern
 * matches.
 */
const places: readonly { file: string; pattern: RegExp }[] = [
  ...['package.json', 'clients/typescript/package.json', 'model/package.json'].map((file) => ({
    file,
    pattern: /(?<=^ {2}"version": ")[^"]+/gm,
  })),
  { file: 'package-lock.json', pattern: /(?<=^ {2}"version": ")[^"]+/gm },
  {
    file: 'package-lock.json',
    pattern: /(?<=^ {4}"(?:clients\/typescript|model|)": \{\n(?: {6}.*\n)? {6}"version": ")[^"]+/gm,
  },
  { file: 'clients/python/pyproject.toml', pattern: /(?<=^version = ")[^"]+/gm },
  { file: 'clients/python/src/broadside/_version.py', pattern: /(?<=^__version__ = ")[^"]+/gm },
  { file: 'deploy/Dockerfile', pattern: /(?<=-t broadside:)[\d.]+\d/g },
  { file: 'deploy/compose.yaml', pattern: /(?<=:-broadside:)[\d.]+\d/g },
  { file: 'docs/containers.md', pattern: /(?<=-t broadside:)[\d.]+\d/g },
  { file: 'docs/install.md', pattern: /(?<=^VERSION=|broadside-service-)\d[\d.]+\d/gm },
]

/** The version of every place, in file order. A place that lost its version fails. */
export function versionsIn(root: string): { file: string; version: string }[] {
  return places.flatMap(({ file, pattern }) => {
    const found = readFileSync(join(root, file), 'utf8').match(pattern)
    if (!found) throw new Error(`${file} has no version where scripts/release/version/places.ts expects it.`)
    return found.map((version) => ({ file, version }))
  })
}

export function currentVersion(root: string): string {
  return (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version
}

/** Writes the version to every place. Returns the files that changed. */
export function setVersion(root: string, version: string): string[] {
  const changed = places.filter(({ file, pattern }) => {
    const path = join(root, file)
    const before = readFileSync(path, 'utf8')
    const after = before.replaceAll(pattern, version)
    if (after !== before) writeFileSync(path, after)
    return after !== before
  })
  return [...new Set(changed.map(({ file }) => file))]
}
