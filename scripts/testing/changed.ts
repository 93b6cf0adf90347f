import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { repoDir } from '../../tooling/services/state.ts'

/** What everything depends on, or what decides how tests run: a change of it runs all tests. */
const everything =
  /^(?:package(?:-lock)?\.json|tsconfig\.json|\.npmrc|migrations\/|schema\.sql|scripts\/(?:setup|test\.ts|testing\/)|\.ci\/|tooling\/services\/)/

/** Tests that read what they neither import nor name. */
const readers: readonly { files: RegExp; tests: RegExp }[] = [
  // They look at every file of the repository.
  { files: /^/, tests: /^test\/(?:tidy|structure)\.test\.ts$/ },
  { files: /^(?:docs\/|generated\/|[A-Z_]+\.md$)/, tests: /^test\/(?:sites\/document|discovery\/|forge\/)/ },
  { files: /^(?:clients\/|generated\/)/, tests: /^test\/(?:clients|verification)\/|^test\/sites\/document-examples/ },
  { files: /^deploy\//, tests: /^test\/(?:deploy|gateway|operations)\/|^src\/bin\/gateway\// },
  { files: /^model\/(?:weights|data|server)\//, tests: /^model\/|^test\/moderation\// },
]

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: repoDir, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

/** What differs from the commit at which this branch left main: commits, uncommitted changes and new files. */
export function changedFiles(): string[] {
  const base = ['origin/main', 'main'].map(mergeBase).find((commit) => commit !== undefined) ?? 'HEAD'
  const committed = git('diff', '--name-only', '--no-renames', base)
  return [...new Set(`${committed}${git('ls-files', '--others', '--exclude-standard')}`.split('\n'))].filter(Boolean)
}

function mergeBase(branch: string): string | undefined {
  try {
    return git('merge-base', 'HEAD', branch).trim()
  } catch {
    return undefined
  }
}

export type Change = {
  changed: readonly string[]
  /** The changed file on which everything depends. */
  reason: string | undefined
  /** The tests that the change can affect, the closest first. */
  tests: string[]
}

/** Finds the tests that import or name a changed file, directly or through other files. */
export function testsOf(changed: readonly string[]): Change {
  const files = git('ls-files', '--cached', '--others', '--exclude-standard')
    .split('\n')
    .filter((path) => path !== '' && existsSync(join(repoDir, path)))
  const isTest = (path: string) => path.endsWith('.test.ts')
  const reason = changed.find((path) => everything.test(path))
  if (reason !== undefined) return { changed, reason, tests: files.filter(isTest) }
  const users = usersIn(files, changed)
  const reached = new Set(changed)
  // A set can grow while it is read: what comes later is further away.
  for (const path of reached) for (const user of users.get(path) ?? []) reached.add(user)
  const due = readers.filter((reader) => changed.some((path) => reader.files.test(path)))
  const read = files.filter((file) => due.some(({ tests }) => tests.test(file)))
  const existing = new Set(files)
  return {
    changed,
    reason,
    tests: [...reached.union(new Set(read))].filter((path) => isTest(path) && existing.has(path)),
  }
}

/** For each file, those that import it or name it in a string. */
function usersIn(files: readonly string[], changed: readonly string[]): Map<string, Set<string>> {
  const users = new Map<string, Set<string>>()
  const note = (used: string, by: string) => users.set(used, (users.get(used) ?? new Set()).add(by))
  for (const file of files.filter((path) => path.endsWith('.ts'))) {
    const source = readFileSync(join(repoDir, file), 'utf8')
    for (const [, relative = ''] of source.matchAll(/(?:from |import |import\(|URL\(\s*)['"](\.{1,2}\/[^'"]+)['"]/g))
      note(posix.join(dirname(file), relative).replace(/\/$/, ''), file)
    for (const [, named = ''] of source.matchAll(/['"`]((?:[\w.-]+\/)+[\w.-]*)/g)) note(named.replace(/\/$/, ''), file)
  }
  // A test, or a tool of tests, that names a folder may read every file in it.
  for (const path of changed)
    for (let folder = dirname(path); folder.includes('/'); folder = dirname(folder))
      for (const user of users.get(folder) ?? []) if (/^(?:test|tooling)\/|\.test\.ts$/.test(user)) note(path, user)
  return users
}

export function describeChange({ changed, reason, tests }: Change): string {
  if (reason !== undefined) return `Everything depends on ${reason}: all ${tests.length} test files run.`
  const list = tests.length <= 20 ? `:\n${tests.map((test) => `  ${test}`).join('\n')}` : '.'
  return `${changed.length} changed files can affect ${tests.length} test files${list}`
}
