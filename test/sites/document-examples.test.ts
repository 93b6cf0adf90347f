// Runs alone: it takes long.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { documentPages } from '../../src/documents/pages/index.ts'
import { exampleDeployment } from '../../src/documents/site-documents.ts'
import { type Kind, kinds } from '../../src/kinds/index.ts'
import { operationsOf } from '../../src/operations.ts'
import { startService } from '../../tooling/environment/service.ts'
import { stateDir } from '../../tooling/services/state.ts'
import { isWhole, nightly } from '../../tooling/test-length.ts'
import {
  pythonClient,
  runSnippets,
  type Snippet,
  type SnippetLanguage,
  type SnippetSet,
  snippetLanguages,
  snippetsOn,
  systemPython,
  typescriptClient,
  typescriptVerifier,
} from '../support/pages/run-snippets.ts'
import { streamSnippetPrints } from '../support/pages/run-stream-snippet.ts'
import { operationIn, readySnippet } from '../support/pages/snippet-world.ts'
import { publishAsModel } from '../support/posts/publish-as-model.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

/** Only classifieds have every operation. The examples of the other sites differ in their values. */
const shownKinds = isWhole ? kinds : kinds.filter(({ name }) => name === 'classified')

/** A whole run executes each example in each language, a short one in one of them. */
const languagesOf = (index: number): readonly SnippetLanguage[] =>
  isWhole ? snippetLanguages : snippetLanguages.filter((_, at) => at === index % snippetLanguages.length)

type Received = { method: string; url: string; headers: Record<string, string | undefined>; body: unknown }

/** What any call may expect in a response. */
const anyAnswer = JSON.stringify({
  ...{
    data: [],
    next_cursor: null,
    sites: [],
    id: 'post_1',
    status: 'published',
    url: 'https://site.example/p/post_1',
  },
  ...{ content: {}, charge: { total_micros: 1 }, api_key: '', account_url: '', balance_micros: 0, secret: '' },
})

/** What was received since the last look. */
let received: Received[] = []
const server = createServer(async (request, response) => {
  received.push(await read(request))
  response.writeHead(200, { 'content-type': 'application/json' }).end(anyAnswer)
})
let baseUrl: string
let pages: Map<string, string>
before(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  pages = documentPages({ ...exampleDeployment, sites: Object.fromEntries(kinds.map(({ name }) => [name, baseUrl])) })
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

const textsOf = ({ site }: Kind, all = pages) =>
  [...all].filter(([path]) => path.startsWith(`${site.slug}/docs/`) && path.endsWith('.md'))
const isStream = ({ sh }: SnippetSet) => sh.includes('/v1/stream')

const environment = {
  ...{ OWNER_SESSION: 'session', POST_ID: 'post_1', DRAFT_ID: 'draft_1', WEBHOOK_ID: 'wh_1', KEY_ID: 'key_1' },
  ...{ LAST_EVENT_ID: 'evt_1' },
}

/** What the programs of one language send to a server that accepts everything, in order. */
async function sentBy(language: SnippetLanguage, sets: readonly SnippetSet[]) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'broadside-examples-'))
  received = []
  const snippets = sets.map((set) => {
    // The clients would send the key of the environment; a reader who needs no key has none.
    const key = set.sh.includes('BROADSIDE_API_KEY') && { BROADSIDE_API_KEY: 'bsk_key' }
    return { program: set[language], variables: { ...environment, BROADSIDE_URL: baseUrl, ...key } }
  })
  const ends = await runSnippets(language, snippets, folder.path)
  assert.deepEqual([...new Set(ends)], [language === 'sh' ? '200' : ''])
  return received
}

test('an example makes the same request in curl, TypeScript and Python', nightly, async () => {
  // The clients ask for the addresses of the sites first.
  const isAsked = ({ url }: Received) => url !== '/v1/status'
  for (const kind of shownKinds) {
    const sets = snippetsOn(textsOf(kind)).filter((set) => !isStream(set) && !set.sh.includes('/v1/status'))
    const byShell = await sentBy('sh', sets)
    assert.equal(byShell.length, sets.length)
    for (const language of ['ts', 'python'] as const) {
      const others = (await sentBy(language, sets)).filter(isAsked)
      // The clients send a key of their own with a dry run, which has no effect.
      for (const [index, request] of byShell.entries())
        assert.deepEqual(
          request.url.includes('dry_run=true') ? { ...others[index], headers: request.headers } : others[index],
          request,
          String(sets[index]?.[language]),
        )
    }
  }
})

test('the reference shows a call of every operation, with its credential', async () => {
  for (const kind of shownKinds) {
    const requests = await sentBy('sh', snippetsOn(textsOf(kind)))
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

test('every example of every operation succeeds at the real service', async (context) => {
  await using service = await startService()
  const { baseUrls: sites, accountPageUrl } = service
  const real = documentPages({ ...exampleDeployment, sites, accountPageUrl })
  for (const kind of shownKinds) {
    const operations = operationsOf(kind)
    const sets = snippetsOn(textsOf(kind, real)).map((set) => ({ set, operation: operationIn(operations, set) }))
    const [streams, calls] = [sets.filter(({ set }) => isStream(set)), sets.filter(({ set }) => !isStream(set))]
    const executed = new Set<string>()
    for (const language of snippetLanguages) {
      const due = calls.filter((_, index) => languagesOf(index).includes(language))
      await using folder = await mkdtempDisposable(join(tmpdir(), 'broadside-examples-'))
      const snippets: Snippet[] = []
      for (const call of due) snippets.push(await readySnippet(service, kind, { ...call, language }))
      await service.asOwner('truncate post_signatures')
      const ends = await runSnippets(language, snippets, folder.path)
      for (const [index, { operation, set }] of due.entries()) {
        const { trialAnswer, successStatus, id } = operation
        const isTrial = trialAnswer && set.sh.includes('dry_run=true')
        const expected = language === 'sh' ? String(isTrial ? trialAnswer.status : successStatus) : ''
        assert.equal(ends[index], expected, `${set.page}\n${snippets[index]?.program}`)
        executed.add(id)
      }
    }
    for (const { set } of streams) {
      await Promise.all(languagesOf(0).map((language) => streamSnippetPrints(service, kind, { language, set })))
      executed.add('streamPosts')
    }
    assert.equal(executed.size, operations.length)
    context.diagnostic(`${kind.site.slug}: ${operations.length} operations, ${sets.length} examples`)
  }
})

test('a reader who starts as the page about the stream says misses no post', async () => {
  await using service = await startService()
  const { baseUrls: sites, accountPageUrl } = service
  for (const kind of shownKinds) {
    const page = String(
      documentPages({ ...exampleDeployment, sites, accountPageUrl }).get(`${kind.site.slug}/docs/stream.md`),
    )
    const account = await service.createCustomer()
    const [readCursor = ''] = /^export CURSOR=.*$/m.exec(page) ?? []
    const { stdout: CURSOR } = await run('bash', ['-euc', `${readCursor}\nprintf %s "$CURSOR"`])
    assert.notEqual(CURSOR, '')
    // Published after the cursor was read and before any program starts.
    await publishAsModel(service, { kind, accountId: account.id })
    const [, sh = ''] = /```sh\n(curl -sN [^`]*\$CURSOR"?)\n```/.exec(page) ?? []
    const programs = /```ts\n([^`]*streamCursor[^`]*)```\n\n```python\n([^`]*stream_cursor[^`]*)```/
    const [, ts = '', python = ''] = programs.exec(page) ?? []
    assert.notEqual(python, '')
    const set = { page: 'stream', sh, ts, python }
    await streamSnippetPrints(service, kind, { language: 'sh', set, variables: { CURSOR }, publishes: false })
    // These read the cursor themselves.
    for (const language of ['ts', 'python'] as const) await streamSnippetPrints(service, kind, { language, set })
  }
})

test('the Python programs have correct types', nightly, async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'broadside-python-programs-'))
  const shown = shownKinds.flatMap((kind) => textsOf(kind))
  const programs = shown
    .flatMap(([, page]) => [...page.matchAll(/```python\n([\s\S]*?)```/g)].map(([, text = '']) => text))
    .filter((program) => program.includes('from broadside'))
  assert.ok(programs.length > 40)
  for (const [index, program] of programs.entries()) await writeFile(join(folder.path, `program_${index}.py`), program)
  const env = { ...process.env, MYPYPATH: pythonClient, MYPY_CACHE_DIR: join(stateDir(), 'mypy') }
  const files = programs.map((_, index) => `program_${index}.py`)
  const { stdout } = await run(systemPython, ['-m', 'mypy', '--strict', ...files], { cwd: folder.path, env }).catch(
    (error: { stdout: string }) => error,
  )
  assert.match(stdout, /^Success: no issues found in \d+ source files\n$/)
})

test('the TypeScript programs compile', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'broadside-client-programs-'))
  const shown = shownKinds.flatMap((kind) => textsOf(kind))
  const programs = shown.flatMap(([, page]) => [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text = '']) => text))
  assert.ok(programs.length > 40)
  for (const [index, program] of programs.entries()) await writeFile(join(folder.path, `${index}.mts`), program)
  const compilerOptions = {
    ...{ module: 'nodenext', target: 'esnext', strict: true, noEmit: true, skipLibCheck: true },
    ...{ allowImportingTsExtensions: true, exactOptionalPropertyTypes: true },
    typeRoots: [join(root, 'node_modules/@types')],
    types: ['node'],
    paths: { broadside: [typescriptClient], 'broadside/verify': [typescriptVerifier] },
  }
  await writeFile(join(folder.path, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.mts'] }))
  const { stdout } = await run(join(root, 'node_modules/.bin/tsc'), ['-p', folder.path])
  assert.equal(stdout, '')
})
