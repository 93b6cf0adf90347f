import assert from 'node:assert/strict'
import { dirname, posix } from 'node:path'
import { test } from 'node:test'
import { importsOf, read, tracked } from './support/repository.ts'

/** Word lists, one file a language. */
const wideFolders = ['model/server/local/features/concepts']

test('no folder has more than 16 files', () => {
  const folders = Map.groupBy(
    tracked.filter((path) => /\.(?:ts|py)$/.test(path)),
    (path) => dirname(path),
  )
  const wide = [...folders].filter(([folder, files]) => files.length > 16 && !wideFolders.includes(folder))
  assert.deepEqual(
    wide.map(([folder, files]) => `${folder}: ${files.length}`),
    [],
  )
})

test('there are no import cycles, not even for types', () => {
  const files = tracked.filter((path) => path.endsWith('.ts'))
  const importsFrom = new Map(
    files.map((path) => [
      path,
      importsOf(path)
        .filter(({ to }) => to.startsWith('.'))
        .map(({ to }) => posix.join(dirname(path), to))
        .filter((to) => files.includes(to)),
    ]),
  )
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (path: string, way: readonly string[]) => {
    if (way.includes(path)) cycles.push([...way.slice(way.indexOf(path)), path].join(' → '))
    if (done.has(path)) return
    done.add(path)
    for (const to of importsFrom.get(path) ?? []) visit(to, [...way, path])
  }
  for (const path of files) visit(path, [])
  assert.deepEqual(cycles, [])
})

/**
 * Every commands file exports its table under the same name, and the generated client repeats a type of the contract.
 */
const repeatedNames = ['commands', 'ProblemCode']

test('each exported name exists once in src', () => {
  const places = new Map<string, string[]>()
  for (const path of tracked.filter((path) => /^src\/.*(?<!\.test)\.ts$/.test(path)))
    for (const [, name = ''] of read(path).matchAll(
      /^export (?:async )?(?:const|let|function\*?|class|type)\s+([\w$]+)/gm,
    ))
      places.set(name, [...(places.get(name) ?? []), path])
  const repeated = [...places].filter(([name, paths]) => paths.length > 1 && !repeatedNames.includes(name))
  assert.deepEqual(
    repeated.map(([name, paths]) => `${name}: ${paths.join(', ')}`),
    [],
  )
})

test('tests do not import scripts, scripts do not import tests, and tooling imports neither', () => {
  const isUnitTest = (path: string) => /^(?:src|model)\/.*\.test\.ts$/.test(path)
  const forbidden: Record<string, RegExp> = {
    test: /^(?:scripts|model\/(?:eval|train))\//,
    scripts: /^test\//,
    tooling: /^(?:test|scripts)\//,
    src: /^(?:test|scripts|model\/(?:eval|train))\//,
    model: /^(?:test|scripts)\//,
    // What is measured and released does not need what was trained and rehearsed.
    'model/eval': /^model\/train\//,
    'scripts/release': /^scripts\/drill\//,
  }
  const broken = tracked
    .filter((path) => path.endsWith('.ts'))
    .flatMap(importsOf)
    .filter(({ to }) => to.startsWith('.'))
    .map(({ from, to }) => ({ from, to: posix.join(dirname(from), to) }))
    .filter(({ from, to }) =>
      Object.entries(forbidden).some(([folder, paths]) => from.startsWith(`${folder}/`) && paths.test(to)),
    )
    // The unit tests of a folder use the same fixtures as other tests.
    .filter(({ from, to }) => !(isUnitTest(from) && to.startsWith('test/support/')))
  assert.deepEqual(
    broken.map(({ from, to }) => `${from} → ${to}`),
    [],
  )
})

test('the program imports only types from generated/, which the image does not have', () => {
  const program = tracked.filter((path) => /^(?:src|model\/server)\/.*(?<!\.test)\.ts$/.test(path))
  const values = program.flatMap(importsOf).filter(({ to, isTypeOnly }) => to.includes('../generated/') && !isTypeOnly)
  assert.deepEqual(
    values.map(({ from, to }) => `${from} → ${to}`),
    [],
  )
})

test('every path that a document names exists', () => {
  const folders = 'src|test|scripts|tooling|model|clients|deploy|migrations|generated|docs/decisions|docs/runbooks'
  const paths = new RegExp(`(?<![\\w/.-])((?:${folders})/[\\w./-]*[\\w-])`, 'g')
  // The changelog describes past releases, the pages of the documentation name addresses of the sites, promotion
  // creates history.json, and a decision that is undone describes what went.
  const documents = tracked
    .filter((path) => /(?<!^CHANGELOG)\.md$/.test(path) && !path.startsWith('src/documents/'))
    .filter((path) => !/^# .*\n\n(?:Partly u|U)ndone: /.test(read(path)))
  const missing = documents.flatMap((path) =>
    [...read(path).matchAll(paths)]
      .map(([, named = '']) => named)
      .filter(
        (named) =>
          !/NNNN|history\.json$/.test(named) && !tracked.some((file) => file === named || file.startsWith(`${named}/`)),
      )
      .map((named) => `${path}: ${named}`),
  )
  assert.deepEqual(missing, [])
})

test('every log message that a runbook quotes exists', () => {
  const sources = tracked.filter((path) => /^(?:src|model)\/.*(?<!\.test)\.ts$/.test(path)).map(read)
  const messages = sources.flatMap((source) =>
    [...source.matchAll(/['`]([^'`\n]{8,})['`]/g)].map(([, text = '']) => text),
  )
  const patterns = messages.map(
    (message) =>
      new RegExp(
        `^${message
          .split(/\$\{[^}]*\}/)
          .map(RegExp.escape)
          .join('.+')}$`,
      ),
  )
  const missing = tracked
    .filter((path) => path.startsWith('docs/runbooks/'))
    .flatMap((path) =>
      [...read(path).matchAll(/\blog[^`|]{0,40}: `([^`]+)`/g)].map(([, quoted = '']) => ({ path, quoted })),
    )
    .filter(({ quoted }) => !patterns.some((pattern) => pattern.test(quoted)))
  assert.deepEqual(missing, [])
})

test('every decision record has its four parts and fits on a page', () => {
  for (const path of tracked.filter((file) => /^docs\/decisions\/\d/.test(file))) {
    const text = read(path)
    const headings = [...text.matchAll(/^## (.*)$/gm)].map((match) => match[1])
    assert.deepEqual(headings, ['Context', 'Decision', 'Consequences', 'Alternatives'], path)
    assert.ok(text.split('\n').length <= 60, `${path} is longer than a page`)
  }
})

test('the repository names no machine and no registry', () => {
  const machine = new RegExp(
    ['/wo' + 'rk/', '/ro' + 'ot/', '/fa' + 'rm/', 'registry\\.' + 'npmjs', 'deb\\.' + 'debian'].join('|'),
  )
  const texts = tracked.filter((path) => !/\.(png|woff2|ico)$/.test(path))
  assert.deepEqual(
    texts.filter((path) => machine.test(read(path))),
    [],
  )
  assert.ok(!/"resolved": "http/.test(read('package-lock.json')), 'the lockfile names a registry: see .npmrc')
})

test('every dependency is pinned, in every workspace', () => {
  type Manifest = Partial<Record<'dependencies' | 'devDependencies', Record<string, string>>>
  const manifests = tracked.filter((path) => /^(?:[\w-]+\/){0,2}package\.json$/.test(path))
  assert.ok(manifests.length > 2)
  const versions = manifests.flatMap((path) => {
    const { dependencies, devDependencies } = JSON.parse(read(path)) as Manifest
    return Object.entries({ ...dependencies, ...devDependencies })
  })
  assert.deepEqual(
    versions.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)),
    [],
  )
})
