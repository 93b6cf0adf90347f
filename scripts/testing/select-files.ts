import { globSync, statSync } from 'node:fs'
import { basename, relative, resolve } from 'node:path'
import { UsageError } from '../../src/bin/command.ts'
import { unknown } from '../../tooling/script-options.ts'
import { repoDir } from '../../tooling/services/state.ts'

const testFolders = ['test', 'clients/typescript', 'src', 'scripts', 'tooling', 'model']
/** Each folder directly in one of these is a feature. */
const featureParents = ['src', 'test', 'test/journeys', 'clients', 'scripts', 'scripts/fault-injection', '']

/** Every test file of the repository, sorted. */
export const allTestFiles = (): string[] =>
  globSync(
    testFolders.map((folder) => `${folder}/**/*.test.ts`),
    { cwd: repoDir, exclude: (path) => basename(path) === 'node_modules' },
  ).sort()

/** A file that takes too long for every change. It runs if it is named, and every night. */
export const isNightly = (file: string): boolean => file.endsWith('.nightly.test.ts')

/** The test files that a word of the command line names: a file, a feature, a folder, or a file without its folder. */
export function selectFiles(word: string, files: readonly string[] = allTestFiles()): string[] {
  const path = relative(repoDir, resolve(word))
  if (files.includes(path)) return [path]
  const ofFeature = featuresOf(files).get(word)
  if (ofFeature) return ofFeature
  const within = statSync(path, { throwIfNoEntry: false })?.isDirectory()
    ? files.filter((file) => file.startsWith(`${path}/`))
    : files.filter((file) => basename(file).split('.')[0] === word)
  if (within.length > 0) return within
  throw new UsageError(unknown('feature, folder or file', word, [...featuresOf(files).keys(), ...files]))
}

/** The features by name, each with the files in all folders of this name. */
export function featuresOf(files: readonly string[]): Map<string, string[]> {
  const features = new Map<string, string[]>()
  for (const file of files) {
    const names = featureParents.flatMap((parent) => {
      const rest = parent === '' ? file : file.startsWith(`${parent}/`) ? file.slice(parent.length + 1) : ''
      const [name = '', ...below] = rest.split('/')
      const isParent = parent === '' && featureParents.includes(name)
      return below.length > 0 && !isParent ? [name] : []
    })
    for (const name of new Set(names)) features.set(name, [...(features.get(name) ?? []), file])
  }
  return new Map([...features].sort(([a], [b]) => (a < b ? -1 : 1)))
}
