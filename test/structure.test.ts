import assert from 'node:assert/strict'
import { dirname, posix } from 'node:path'
import { test } from 'node:test'
import { importsOf, read, tracked } from './support/repository.ts'

/** Word lists, one file a language; and the checks of the whole service, one file a subject. */
const wideFolders = ['model/server/local/features/concepts', 'acceptance', 'acceptance/sections']

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

// The changelog describes past releases, and a decision that is undone describes what went. A decision names the
// commands of its day.
const documents = tracked
  .filter((path) => /(?<!^CHANGELOG)\.md$/.test(path))
  .filter((path) => !/^# .*\n\n(?:Partly u|U)ndone: /.test(read(path)))
const pages = documents.filter((path) => !path.startsWith('docs/decisions/'))

/** The names that documents mention in this form, without the known ones. */
const unknownNames = (pattern: RegExp, isKnown: (name: string) => boolean, among = pages): string[] =>
  among.flatMap((path) => {
    const names = [...read(path).matchAll(pattern)].map(([, named = '']) => named)
    return names.filter((named) => !isKnown(named)).map((named) => `${path}: ${named}`)
  })

test('every path that a document names exists', () => {
  const folders = 'src|test|scripts|tooling|model|clients|deploy|migrations|generated|docs/decisions|docs/runbooks'
  // A client is named from the folder beside its checkout, and promotion creates history.json.
  const paths = new RegExp(`(?<![\\w/.-])(?:\\.\\./broadside/)?((?:${folders})/[\\w./-]*[\\w-])`, 'g')
  const isKnown = (named: string) =>
    /NNNN|history\.json$/.test(named) || tracked.some((file) => file === named || file.startsWith(`${named}/`))
  assert.deepEqual(unknownNames(paths, isKnown, documents), [])
})

test('every sub-command, script, unit and setting that a document names exists', () => {
  const commands = tracked.filter((path) =>
    /^src\/(?:bin\/commands|contract\/command-line)\/.*(?<!\.test)\.ts$/.test(path),
  )
  // A command of the client takes arguments; one of the operator if its usage says so.
  const usages = commands.flatMap((path) => [...read(path).matchAll(/^ +(usage|name): '([a-z -]+?)( [<[]|')/gm)])
  const isCommand = (named: string) =>
    named === 'help' ||
    usages.some(([, form, words = '', end]) =>
      form === 'name' || end !== "'" ? `${named} `.startsWith(`${words} `) : named === words,
    )
  const called =
    /(?:npm run (?:-s )?(?:broadside|client) -- |(?:^ *|[`|&] ?)broadside |run --rm (?:operator|migrate) )([a-z][a-z-]*(?: [a-z][a-z-]*)?)/gm
  assert.deepEqual(unknownNames(called, isCommand), [])

  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const isScript = (named: string) => {
    const [script = '', part] = named.split(' -- ')
    return new RegExp(`^ +'?${part}\\b`, 'm').test(read(/\S+\.ts/.exec(scripts[script] ?? '')?.[0] ?? 'package.json'))
  }
  assert.deepEqual(
    unknownNames(/\b((?:audit|bench|chaos|contract|drill|eval|fuzz|release|train) -- [a-z][\w-]*)/g, isScript),
    [],
  )

  const isUnit = (named: string) =>
    tracked.some((path) => path.startsWith(`deploy/systemd/${named.replace(/\w$/, '$&.')}`))
  assert.deepEqual(unknownNames(/(?:systemctl|journalctl)[^`\n]* '?(broadside[\w-]*@?)/g, isUnit), [])

  const program = tracked
    .filter((path) => !/\.(?:md|tsv|jsonl|onnx|webp|png|woff2|ico)$/.test(path))
    .map(read)
    .join('\n')
  const settings = new Set(program.match(/\b[A-Z]\w*_\w+/g))
  // Variables of the reader, a setting of etcd, and the name of a file.
  for (const name of ['ACCOUNT_ID', 'BROADSIDE_WEBHOOK_SECRET', 'ETCD_FORCE_NEW_CLUSTER', 'CODE_OF_CONDUCT'])
    settings.add(name)
  assert.deepEqual(
    unknownNames(/\b([A-Z][A-Z\d]*(?:_[A-Z\d]+)+)\b/g, (named) => settings.has(named)),
    [],
  )
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

test('no text installs the clients from a registry, where a stranger can take their name', () => {
  const fromRegistry =
    /\b(?:npx|npm (?:i|install|exec)|pipx?|uvx?)\b[^\n`|&]* (?:broadside|\{\{(?:client|package)\}\})(?![-/.\w])/
  const texts = tracked.filter((path) => /(?<!test)\.(?:md|txt|ts|yml)$/.test(path))
  assert.deepEqual(
    texts.filter((path) => fromRegistry.test(read(path))),
    [],
  )
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

test('tests and scripts open a process with the function that production uses', () => {
  const assembling =
    /^(?:model\/server|src\/(?:http|owner-page|desk))\/server\.ts$|\/(?:start-worker|serve-cards|health-server|telemetry)\.ts$/
  const outside = tracked.filter((path) =>
    /^(?:tooling|test|scripts|examples|model\/(?:eval|train))\/.*\.ts$/.test(path),
  )
  const strays = outside
    .flatMap(importsOf)
    .filter(({ isTypeOnly }) => !isTypeOnly)
    .map(({ from, to }) => ({ from, to: posix.join(dirname(from), to) }))
    .filter(({ to }) => assembling.test(to))
  assert.deepEqual(strays, [], 'use the functions of src/bin/commands/processes')
})
