import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { documentPages } from '../../src/documents/pages/index.ts'
import { exampleDeployment } from '../../src/documents/site-documents.ts'
import { type Kind, kinds } from '../../src/kinds/index.ts'
import { operationsOf } from '../../src/operations.ts'
import { isWhole } from '../../tooling/test-length.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const clientSource = join(root, 'clients/typescript/src/index.ts')

/** Only classifieds have every operation. The examples of the other sites differ in their values. */
const shownKinds = isWhole ? kinds : kinds.filter(({ name }) => name === 'classified')

type Received = { method: string; url: string; headers: Record<string, string | undefined>; body: unknown }

/** What was received since the last look. */
let received: Received[] = []
const server = createServer(async (request, response) => {
  received.push(await read(request))
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
})
let pages: Map<string, string>
before(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const sites = Object.fromEntries(kinds.map(({ name }) => [name, baseUrl]))
  pages = documentPages({ ...exampleDeployment, sites })
})
after(() => server.close())

async function read(request: IncomingMessage): Promise<Received> {
  const text = Buffer.concat(await request.toArray()).toString()
  const { authorization, 'idempotency-key': key, 'content-type': type } = request.headers
  return {
    method: String(request.method),
    url: String(request.url),
    headers: { authorization, key: key?.toString(), type },
    body: text === '' ? null : JSON.parse(text),
  }
}

type Example = Record<'sh' | 'ts' | 'python', string>

/** The calls on a site's pages, each in three languages, as a reader copies them. */
function examplesOn({ site }: Kind): Example[] {
  const fences = /```sh\n([^`]*?)\n```\n\n```ts\n([^`]*?)\n```\n\n```python\n([^`]*?)\n```/g
  return [...pages]
    .filter(([path]) => path.startsWith(`${site.slug}/docs/`) && path.endsWith('.md'))
    .flatMap(([, page]) => [...page.matchAll(fences)])
    .map(([, sh = '', ts = '', python = '']) => ({ sh, ts, python }))
}

const environment = {
  ...process.env,
  BROADSIDE_API_KEY: 'bsk_key',
  OWNER_SESSION: 'session',
  POST_ID: 'post_1',
  DRAFT_ID: 'draft_1',
  WEBHOOK_ID: 'wh_1',
  KEY_ID: 'key_1',
  LAST_EVENT_ID: 'evt_1',
}

/** What the programs send, in order. They run in one folder, with the file that some of them read. */
async function sentBy(
  programs: readonly string[],
  start: (programs: readonly string[], folder: string) => Promise<unknown>,
) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'broadside-examples-'))
  await writeFile(join(folder.path, 'post.json'), '{"text": "A post from a file."}')
  received = []
  await start(programs, folder.path)
  return received
}

const byCurl = (programs: readonly string[], cwd: string) =>
  run('bash', ['-euc', programs.join('\n')], { cwd, env: environment })

async function byTypeScript(programs: readonly string[], cwd: string) {
  for (const [index, program] of programs.entries())
    await writeFile(join(cwd, `${index}.mts`), program.replace("'broadside'", `'${pathToFileURL(clientSource)}'`))
  // The client would send the key of the environment; a reader who needs no key has none.
  const key = `process.env['BROADSIDE_API_KEY']`
  const set = (program: string) => (program.includes('BROADSIDE_API_KEY') ? `${key} = 'bsk_key'` : `delete ${key}`)
  const all = programs.map((program, index) => `${set(program)}\nawait import('./${index}.mts')`).join('\n')
  await writeFile(join(cwd, 'all.mts'), all)
  return run(process.execPath, ['all.mts'], { cwd, env: environment })
}

async function byPython(programs: readonly string[], cwd: string) {
  await writeFile(join(cwd, 'programs.json'), JSON.stringify(programs))
  const all =
    'import json\nfor program in json.load(open("programs.json")): exec(compile(program, "program", "exec"), {})'
  return run('python3', ['-c', all], { cwd, env: environment })
}

test('an example makes the same request in curl, TypeScript and Python', async () => {
  for (const kind of shownKinds) {
    const examples = examplesOn(kind)
    const byShell = await sentBy(
      examples.map(({ sh }) => sh),
      byCurl,
    )
    assert.equal(byShell.length, examples.length)
    for (const [language, start] of [['ts', byTypeScript] as const, ['python', byPython] as const]) {
      const others = await sentBy(
        examples.map((example) => example[language]),
        start,
      )
      // The client sends a key of its own with a dry run, which has no effect.
      for (const [index, request] of byShell.entries())
        assert.deepEqual(
          request.url.includes('dry_run=true') ? { ...others[index], headers: request.headers } : others[index],
          request,
          String(examples[index]?.[language]),
        )
    }
  }
})

test('the reference shows a call of every operation, with its credential', async () => {
  for (const kind of shownKinds) {
    const requests = await sentBy(
      examplesOn(kind).map(({ sh }) => sh),
      byCurl,
    )
    for (const { method, path, access, body } of operationsOf(kind)) {
      const address = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '\\w+_1')}(\\?.*)?$`)
      const request = requests.find((each) => each.method === method && address.test(each.url))
      assert.ok(request, `${method} ${path}`)
      const credentials = { key: 'Bearer bsk_key', owner: 'Bearer session', anyone: request.headers['authorization'] }
      assert.equal(request.headers['authorization'], credentials[access], path)
      assert.equal(request.body !== null, body !== undefined, path)
    }
  }
})

test('the TypeScript programs compile', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'broadside-client-programs-'))
  const shown = [...pages].filter(
    ([path]) => path.endsWith('.md') && shownKinds.some(({ site }) => path.startsWith(`${site.slug}/docs/`)),
  )
  const programs = shown.flatMap(([, page]) => [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text = '']) => text))
  assert.ok(programs.length > 40)
  for (const [index, program] of programs.entries()) await writeFile(join(folder.path, `${index}.mts`), program)
  const compilerOptions = {
    ...{ module: 'nodenext', target: 'esnext', strict: true, noEmit: true, skipLibCheck: true },
    ...{ allowImportingTsExtensions: true, exactOptionalPropertyTypes: true },
    typeRoots: [join(root, 'node_modules/@types')],
    types: ['node'],
    paths: { broadside: [clientSource] },
  }
  await writeFile(join(folder.path, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.mts'] }))
  const { stdout } = await run(join(root, 'node_modules/.bin/tsc'), ['-p', folder.path])
  assert.equal(stdout, '')
})
