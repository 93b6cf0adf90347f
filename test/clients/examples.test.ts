import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { compiledOnce, pythonEnvironment } from '../../tooling/clients/command-line.ts'
import { checkTypes, installClient } from '../../tooling/clients/install-client.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { repoDir, stateDir, waitFor } from '../../tooling/services/state.ts'
import { nightly } from '../../tooling/test-length.ts'
import { kindNamed } from '../support/posts/create-post.ts'
import { publishAsModel } from '../support/posts/publish-as-model.ts'
import { tracked } from '../support/repository.ts'

const run = promisify(execFile)
const python = process.env['PYTHON'] ?? '/usr/bin/python3'
const sources = tracked.filter((path) => /^examples\/.*\.(ts|py)$/.test(path))

let service: Service
let folder: Awaited<ReturnType<typeof mkdtempDisposable>>
before(async () => {
  service = await startService({
    judges: true,
    streamTiming: { lookMs: 20, ownLookMs: 20, careMs: 100, blockedMs: 1_000 },
  })
  folder = await mkdtempDisposable(join(tmpdir(), 'broadside-examples-'))
  await cp(join(repoDir, 'examples'), folder.path, { recursive: true })
  await writeFile(join(folder.path, 'package.json'), '{"type": "module"}')
  await installClient(folder.path, ['@modelcontextprotocol/client'])
})
after(async () => {
  await service[Symbol.asyncDispose]()
  await folder.remove()
})

type Account = Awaited<ReturnType<Service['createCustomer']>>

const envOf = ({ api_key }: Pick<Account, 'api_key'>, more: Record<string, string> = {}) => ({
  ...{ BROADSIDE_URL: service.baseUrl, BROADSIDE_API_KEY: api_key },
  ...more,
})

/** Runs a program of the examples to its end. */
async function start(program: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const command = program.endsWith('.py') ? python : process.execPath
  const done = run(command, [program, ...args], {
    cwd: folder.path,
    env: { ...compiledOnce, ...pythonEnvironment, ...env },
  })
  return done.then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code: code as number, output: `${stdout}${stderr}` }),
  )
}

/** The texts of the account's posts, newest first. */
async function publishedBy({ client }: Account) {
  const { body } = await client.listMyPosts()
  return body.data.map(({ status, content }) => `${status}: ${content?.headline}`)
}

type Shown = { content: { text: string; location: { country: string } } }

/** A post as its page shows it. */
async function readPost(id: string | undefined): Promise<Shown> {
  const response = await fetch(`${service.baseUrl}/p/${id}.json`)
  return (await response.json()) as Shown
}

test('each example is short and says what it does, how to run it and what it costs', async () => {
  assert.equal(sources.length, 4)
  for (const path of sources) {
    const text = await readFile(join(repoDir, path), 'utf8')
    assert.ok(text.split('\n').length <= 80, path)
    const readme = await readFile(join(repoDir, path, '../README.md'), 'utf8')
    assert.match(readme, /```sh\n[\s\S]*```/)
    assert.match(readme, /^\*\*Cost:\*\* /m)
    assert.ok(readme.includes(path.split('/').at(-1) ?? ''))
  }
})

test('the examples have correct types', nightly, async () => {
  const programs = sources.map((path) => path.replace('examples/', ''))
  const isPython = (path: string) => path.endsWith('.py')
  await checkTypes(
    folder.path,
    programs.filter((path) => !isPython(path)),
  )
  const env = {
    ...process.env,
    MYPYPATH: pythonEnvironment.PYTHONPATH,
    MYPY_CACHE_DIR: join(stateDir(), 'mypy-examples'),
  }
  await run(python, ['-m', 'mypy', '--strict', ...programs.filter(isPython)], { cwd: folder.path, env })
})

test('the weather agent publishes once per city and day', async () => {
  const day = { low: 11.6 }
  const weather = createServer((request, response) => {
    const place = { results: [{ name: 'Lisbon', latitude: 38.7, longitude: -9.1 }] }
    const daily = { time: ['2026-11-18'], temperature_2m_min: [day.low], temperature_2m_max: [18.2] }
    const isPlace = request.url?.startsWith('/search')
    response.end(JSON.stringify(isPlace ? place : { daily: { ...daily, precipitation_sum: [0.4] } }))
  }).listen(0, '127.0.0.1')
  await once(weather, 'listening')
  const base = `http://127.0.0.1:${(weather.address() as AddressInfo).port}`
  const account = await service.createCustomer()
  const env = envOf(account, { GEOCODING_URL: `${base}/search`, WEATHER_URL: `${base}/forecast` })
  const report = () => start('weather-agent/weather_agent.py', ['Lisbon'], env)
  const first = await report()
  assert.match(first.output, /^published http\S+\n$/)
  assert.deepEqual(await report(), first)
  day.low = 12.7
  const changed = await report()
  assert.deepEqual([changed.code, /published already/.test(changed.output)], [0, true], changed.output)
  const text =
    'Weather for Lisbon on 2026-11-18: 12 to 18 degrees Celsius, 0.4 mm of rain expected. Source: Open-Meteo.'
  const [post] = (await account.client.listMyPosts()).body.data
  assert.equal((await publishedBy(account)).length, 1)
  const shown = await readPost(post?.id)
  assert.deepEqual([shown.content.text, shown.content.location.country], [text, 'PT'])
  const poor = await start('weather-agent/weather_agent.py', ['Lisbon'], {
    ...env,
    BROADSIDE_API_KEY: (await service.createAccount()).api_key,
  })
  assert.deepEqual([poor.code, /Ask the owner to open http/.test(poor.output)], [5, true], poor.output)
  weather.close()
})

test('a release is announced once, and a rejected post fails the workflow', async () => {
  const account = await service.createCustomer()
  const changelog = join(folder.path, 'CHANGELOG.md')
  const write = (notes: string) =>
    writeFile(changelog, `# Changelog\n\n## [1.4.0] - 2026-11-18\n\n${notes}\n## 1.3.0\n\n- Older.\n`)
  const link = 'https://example.com/releases/1.4.0'
  const announce = (project: string) =>
    start('release-notes/announce-release.ts', ['v1.4.0', link, changelog], envOf(account, { PROJECT: project }))
  await write('- Tides of 40 harbours.\n- Faster start.\n')
  const first = await announce('Tide tables')
  assert.match(first.output, /^published http\S+ for 0\.\d+ USD\n$/)
  assert.deepEqual(await announce('Tide tables'), first)
  await write('- Other notes.\n')
  assert.match((await announce('Tide tables')).output, /announced already/)
  const [post, ...others] = (await account.client.listMyPosts()).body.data
  assert.equal(others.length, 0)
  const shown = await readPost(post?.id)
  assert.equal(
    shown.content.text,
    `Tide tables 1.4.0 is released.\n• Tides of 40 harbours.\n• Faster start.\n\n${link}`,
  )
  const rejected = await announce('verdict-low-quality')
  assert.deepEqual([rejected.code, /^::error title=The post was rejected::/m.test(rejected.output)], [1, true])
})

test('the MCP agent publishes the same text once', async () => {
  const account = await service.createCustomer()
  const env = envOf(account)
  const text = 'The library at the harbour is open on Sundays again.'
  const publish = () => start('mcp-agent/mcp-agent.ts', [text, 'Lisbon'], env)
  const first = await publish()
  assert.match(first.output, /^tools \d+\nplace Lisbon, Portugal\npublished http\S+\n$/)
  const second = await publish()
  assert.deepEqual([second.code, /nearly the same text/.test(second.output)], [1, true], second.output)
  assert.deepEqual(await publishedBy(account), [`published: ${text}`])
})

test('the event collector keeps listed and streamed events, and continues where it stopped', async () => {
  const account = await service.createCustomer()
  const publish = (title: string) =>
    publishAsModel(service, { kind: kindNamed('event'), accountId: account.id, changes: { title } })
  const file = join(folder.path, 'events.json')
  const titles = async () => {
    const { events } = JSON.parse(await readFile(file, 'utf8')) as {
      events: Record<string, { content: { title: string } }>
    }
    return Object.values(events)
      .map(({ content }) => content.title)
      .sort()
  }
  const collect = async (work: (until: (pattern: RegExp) => Promise<void>) => Promise<void>) => {
    const child = spawn(process.execPath, ['event-collector/collect-events.ts'], {
      cwd: folder.path,
      env: { BROADSIDE_URL: service.baseUrl, EVENTS_FILE: file },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part) => {
        output += part
      })
    const exit = once(child, 'exit')
    await work((pattern) => waitFor(async () => pattern.test(output), `${pattern}`))
    child.kill('SIGINT')
    assert.deepEqual([(await exit)[0], output.includes('Error')], [0, false], output)
  }
  await publish('Before the start')
  await collect(async (until) => {
    await until(/^listed 1$/m)
    const [kept, removed] = [await publish('While it runs'), await publish('Soon deleted')]
    await until(new RegExp(`^post\\.published ${kept}$`, 'm'))
    await until(new RegExp(`^post\\.published ${removed}$`, 'm'))
    await fetch(`${service.baseUrls['event']}/v1/posts/${removed}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${account.api_key}` },
    })
    await until(new RegExp(`^post\\.removed ${removed}$`, 'm'))
  })
  assert.deepEqual(await titles(), ['Before the start', 'While it runs'])
  const missed = await publish('While it was stopped')
  await collect((until) => until(new RegExp(`^post\\.published ${missed}$`, 'm')))
  assert.deepEqual(await titles(), ['Before the start', 'While it runs', 'While it was stopped'])
})
