import { existsSync, globSync, statSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
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

export type Selection = { files: string[]; isFeature: boolean }

/** The test files that a word of the command line names: a file, a folder, a feature, or a file without its folder. */
export function selectFiles(word: string, files: readonly string[] = allTestFiles()): Selection {
  const path = relative(repoDir, resolve(word))
  if (files.includes(path)) return { files: [path], isFeature: false }
  // Tests of the test runner are not among the files of the repository.
  if (word.endsWith('.test.ts') && existsSync(word)) return { files: [resolve(word)], isFeature: false }
  const named = files.filter((file) => basename(file, '.test.ts') === word)
  const ofFeature = featuresOf(files).get(word)
  if (ofFeature) return { files: ofFeature, isFeature: true }
  const isFolder = existsSync(join(repoDir, path)) && statSync(join(repoDir, path)).isDirectory()
  const within = isFolder ? files.filter((file) => file.startsWith(`${path}/`)) : []
  if (within.length > 0) return { files: within, isFeature: true }
  if (named.length > 0) return { files: named, isFeature: false }
  const known = [...featuresOf(files).keys(), ...files, ...files.map((file) => basename(file, '.test.ts'))]
  throw new UsageError(unknown('feature, folder or file', word, known))
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
