import assert from 'node:assert/strict'
import { registerHooks } from 'node:module'
import { dirname, matchesGlob, posix } from 'node:path'
import { test } from 'node:test'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { parse } from 'yaml'
import { read, tracked } from './support/repository.ts'

// The package imports its JSON as bundlers do, without the attribute that Node wants.
const hooks = registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
})
const { validate } = await import('@actions/languageservice')
hooks.deregister()

type Permissions = Record<string, string> | string | undefined
type Step = { uses?: string; run?: string; with?: Record<string, unknown> }
type Job = { permissions?: Permissions; steps: Step[] }
type Workflow = { on: unknown; permissions?: Permissions; jobs: Record<string, Job> }

const workflows = tracked.filter((path) => path.startsWith('.github/workflows/'))
const actions = tracked.filter((path) => path.startsWith('.github/actions/'))
const markdown = tracked.filter((path) => path.endsWith('.md') && !/^(?:src\/documents|generated)\//.test(path))
const { scripts, dependencies } = JSON.parse(read('package.json')) as Record<string, Record<string, string>>

/** The parser remembers a file by its address. */
let parsed = 0

/** What GitHub's own parser finds in a workflow or an action: syntax, jobs, contexts, expressions. */
async function parserFaults(path: string, text: string): Promise<string[]> {
  const found = await validate(TextDocument.create(`file:///${++parsed}/${path}`, 'yaml', 1, text))
  return found.map(({ range, message }) => `line ${range.start.line + 1}: ${message}`)
}

/** The rules of this repository: least privilege, pins, nothing untrusted in a shell, and one version of Node. */
function workflowFaults(text: string): string[] {
  const { on, permissions, jobs } = parse(text) as Workflow
  return [
    ...(permissions && !canWrite(permissions) ? [] : ['The workflow must have permissions and may only read.']),
    ...(/pull_request_target|workflow_run/.test(JSON.stringify(on))
      ? ['This trigger runs the code of strangers.']
      : []),
    ...Object.values(jobs)
      .filter(({ permissions, steps }) => canWrite(permissions) && steps.some(runsDependencies))
      .map(() => 'A job that may write must not run code with dependencies.'),
    ...[...text.matchAll(/\bnode(?:-version)?: ?(\d[\w.]*)/g)]
      .filter(([, version]) => version !== dependencies?.['node'])
      .map(([, version]) => `Node ${version} is not that of package.json.`),
    ...stepFaults(Object.values(jobs).flatMap(({ steps }) => steps)),
    ...pinFaults(text),
    ...scriptFaults(text),
  ]
}

const canWrite = (permissions: Permissions) =>
  typeof permissions === 'string' || Object.values(permissions ?? {}).includes('write')

const runsDependencies = ({ run = '' }: Step) => /\bnpm (?:ci|run|test)\b|(?:^|\s)(?:\.ci|scripts)\//.test(run)

function stepFaults(steps: readonly Step[]): string[] {
  return [
    ...steps
      .filter(({ run = '' }) => run.includes('${{'))
      .map(() => 'A script has an expression, whose value could be a command; pass it through env.'),
    ...steps
      .filter((step) => step.uses?.startsWith('actions/checkout@') && step.with?.['persist-credentials'] !== false)
      .map(() => 'The checkout must set persist-credentials to false.'),
  ]
}

/** A tag can be moved to other code, a commit cannot. The comment tells which release it is. */
const pinFaults = (text: string) =>
  [...text.matchAll(/\buses: (?!\.\/)(.*)/g)]
    .filter(([, pin = '']) => !/^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(pin))
    .map(([, pin]) => `${pin} must be pinned by the hash of a commit, with its version as a comment.`)

const scriptFaults = (text: string) =>
  [...text.matchAll(/\bnpm run (?:-s |--silent )?([\w:-]+)/g)]
    .filter(([, name = '']) => !scripts?.[name])
    .map(([, name]) => `There is no script ${name} in package.json.`)

const ownerFaults = (text: string) =>
  [...text.matchAll(/^\/(\S+)\s+@/gm)]
    .filter(([, path = '']) => !tracked.some((file) => matchesGlob(file, path.replace(/\/$/, '/**'))))
    .map(([, path]) => `/${path} matches no file.`)

/** Links and pictures of a Markdown file that lead to no file or heading. Addresses of the web are not fetched. */
function linkFaults(path: string, text: string): string[] {
  const prose = text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '').replaceAll(/`[^`\n]*`/g, '')
  const targets = [...prose.matchAll(/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)|\b(?:src|srcset)="([^"]+)"/g)]
  return targets.flatMap(([, link, picture]) => {
    const target = link ?? picture ?? ''
    const [file = '', fragment] = target.split('#')
    const named = file === '' ? path : posix.join(dirname(path), decodeURIComponent(file)).replace(/\/$/, '')
    if (/^(?:[a-z][a-z\d+.-]*:|\/)/i.test(target) || named === '.') return []
    const exists = tracked.some((known) => known === named || known.startsWith(`${named}/`))
    const isHeading = !fragment || !named.endsWith('.md') || (exists && anchorsOf(read(named)).includes(fragment))
    return exists && isHeading ? [] : [`${target} does not exist.`]
  })
}

/** The anchors that GitHub makes of headings: lower case, without punctuation, spaces as hyphens. */
function anchorsOf(text: string): string[] {
  const headings = [...text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '').matchAll(/^#{1,6} (.*)$/gm)]
  const anchors = headings.map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-'),
  )
  return anchors.map((anchor, at) => {
    const before = anchors.slice(0, at).filter((other) => other === anchor).length
    return before === 0 ? anchor : `${anchor}-${before}`
  })
}

/** What is wrong with a file of the repository. */
async function faultsOf(path: string, text = read(path)): Promise<string[]> {
  if (workflows.includes(path)) return [...(await parserFaults(path, text)), ...workflowFaults(text)]
  if (actions.includes(path)) return [...(await parserFaults(path, text)), ...pinFaults(text), ...scriptFaults(text)]
  if (path.endsWith('.md')) return linkFaults(path, text)
  return ownerFaults(text)
}

for (const path of [...workflows, ...actions, '.github/CODEOWNERS'])
  test(`${path} is right`, async () => assert.deepEqual(await faultsOf(path), []))

test('every relative link and picture in Markdown leads to a file and a heading', async () => {
  assert.ok(markdown.length > 100)
  for (const path of markdown) assert.deepEqual(await faultsOf(path), [], path)
})

test('every command that a page for contributors names exists', () => {
  const pages = markdown.filter((path) => !/^(?:CHANGELOG\.md|docs\/decisions\/)/.test(path))
  assert.deepEqual(
    [...pages, '.devcontainer/devcontainer.json'].flatMap((path) => scriptFaults(read(path))),
    [],
  )
})

/** Each fault replaces the first text by the second in a correct file. */
const faults: readonly (readonly [file: string, from: string | RegExp, to: string, message: RegExp])[] = [
  ['workflows/ci.yml', 'permissions:', 'permissons:', /Unexpected value 'permissons'/],
  ['workflows/release.yml', 'needs: build', 'needs: bild', /bild/],
  ['workflows/release.yml', 'steps.push.outputs', 'step.push.outputs', /step/],
  ['actions/setup/action.yml', 'composite', 'composed', /composed/],
  ['workflows/ci.yml', 'contents: read', 'contents: write', /may only read/],
  ['workflows/ci.yml', 'pull_request:', 'pull_request_target:', /code of strangers/],
  ['workflows/ci.yml', 'timeout-minutes:', 'permissions: write-all\n    timeout-minutes:', /must not run code/],
  ['workflows/ci.yml', /checkout@[0-9a-f]{40} # v[\d.]+/, 'checkout@v7', /checkout@v7 must be pinned/],
  ['workflows/ci.yml', 'persist-credentials: false', 'persist-credentials: true', /persist-credentials/],
  ['workflows/ci.yml', '.ci/run', 'echo $' + '{{ github.head_ref }}', /has an expression/],
  ['workflows/ci.yml', /node:\d+/, 'node:20', /not that of package\.json/],
  ['workflows/release.yml', 'run: npm run release', 'run: npm run relase', /no script relase/],
  ['CODEOWNERS', '/src/ledger/', '/src/legder/', /src\/legder\/ matches no file/],
]
for (const [file, from, to, message] of faults)
  test(`.github/${file} is refused with ${JSON.stringify(to)}`, async () => {
    const path = `.github/${file}`
    const wrong = read(path).replace(from, () => to)
    assert.notEqual(wrong, read(path))
    assert.match((await faultsOf(path, wrong)).join('\n'), message)
  })

test('a link to no file, no heading or no picture is refused', async () => {
  for (const link of ['[a](docs/nowhere.md)', '[a](SUPPORT.md#nothing)', '[a](#nothing)', '<img src="docs/no.webp">'])
    assert.equal((await faultsOf('README.md', link)).length, 1, link)
})
