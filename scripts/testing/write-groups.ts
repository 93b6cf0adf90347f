import { writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { repoDir } from '../../tooling/services/state.ts'
import { aloneFiles } from './long-files.ts'

/**
 * The number of files per process. Fewer where each file takes seconds, so that the run does not wait for a group that
 * started late.
 */
const groupSizes = [
  { folders: ['test/', 'clients/'], size: 8 },
  { folders: ['src/', 'scripts/', 'tooling/', 'model/'], size: 24 },
]

/** All files, in groups that are the same every time: first those that run alone. */
export function groupsOfAll(files: readonly string[]): string[][] {
  const groups = aloneAmong(files)
  for (const { folders, size } of groupSizes) {
    const together = files.filter((file) => !(file in aloneFiles) && folders.some((folder) => file.startsWith(folder)))
    for (let rest = together.sort(); rest.length > 0; rest = rest.slice(size)) groups.push(rest.slice(0, size))
  }
  return groups
}

/** A group for each core, because a feature has few files and each group loads the service once. */
export function groupsOfFeature(files: readonly string[], count = availableParallelism()): string[][] {
  const together = files.filter((file) => !(file in aloneFiles))
  const groups = Array.from({ length: count }, (_, index) => together.filter((_, at) => at % count === index))
  return [...aloneAmong(files), ...groups.filter((group) => group.length > 0)]
}

const aloneAmong = (files: readonly string[]) =>
  Object.entries(aloneFiles)
    .filter(([file]) => files.includes(file))
    .toSorted(([, one], [, other]) => other - one)
    .map(([file]) => [file])

/**
 * Writes a file for each group. A short service test spends two thirds of its time loading and warming up the service,
 * which a group does only once. The runner sorts its files by name.
 */
export function writeGroups(groups: readonly string[][], folder: string): string[] {
  return groups.map((files, index) => {
    const path = join(folder, `${String(index).padStart(3, '0')}.mjs`)
    writeFileSync(path, renderGroup(files))
    return path
  })
}

/**
 * A suite per file keeps its before and after hooks separate. Each file must leave the process as it found it. Files are
 * loaded one after the other, before the first test: a test belongs to the suite that loads its file, and if two files
 * waited for the same module, the first would get the tests of both.
 */
function renderGroup(files: readonly string[]): string {
  const urls = Object.fromEntries(files.map((file) => [file, pathToFileURL(resolve(repoDir, file)).href]))
  const shared = pathToFileURL(join(import.meta.dirname, 'shared-state.ts')).href
  return [
    "import { after, before, suite } from 'node:test'",
    `import { rememberShared } from ${JSON.stringify(shared)}`,
    'const allLoaded = Promise.withResolvers()',
    `for (const [file, url] of Object.entries(${JSON.stringify(urls)})) {`,
    '  const loaded = Promise.withResolvers()',
    '  suite(file, async () => {',
    '    try {',
    '      let assertUnchanged',
    '      before(() => { assertUnchanged = rememberShared() })',
    '      await import(url)',
    '      after(() => assertUnchanged(file))',
    '    } finally {',
    '      loaded.resolve()',
    '    }',
    '    await allLoaded.promise',
    '  })',
    '  await loaded.promise',
    '}',
    'allLoaded.resolve()',
    '',
  ].join('\n')
}
