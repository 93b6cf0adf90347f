// Runs alone: it takes long.
import assert from 'node:assert/strict'
import { mkdtempDisposable, readFile, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { runCommandLine, startCommandLine } from '../../tooling/clients/command-line.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { quietPort } from '../../tooling/services/state.ts'
import { kindNamed } from '../support/posts/create-post.ts'

let service: Service
let folder: Awaited<ReturnType<typeof mkdtempDisposable>>

before(async () => {
  service = await startService({
    judges: true,
    streamTiming: { lookMs: 20, ownLookMs: 20, careMs: 100, blockedMs: 1_000 },
  })
  folder = await mkdtempDisposable(join(tmpdir(), 'broadside-cli-'))
})
after(async () => {
  await service[Symbol.asyncDispose]()
  await folder.remove()
})

/** The command line of one user: a home folder, and a key in the environment or in the saved login. */
function userOf(apiKey?: string, home = crypto.randomUUID()) {
  const config = join(folder.path, home)
  const env = {
    XDG_CONFIG_HOME: config,
    BROADSIDE_URL: service.baseUrl,
    ...(apiKey && { BROADSIDE_API_KEY: apiKey }),
  }
  const run = (args: readonly string[], input?: string) =>
    runCommandLine(args, { env, ...(input !== undefined && { input }) })
  return {
    env,
    credentials: join(config, 'broadside/credentials.json'),
    run,
    /** Runs the command, which must exit with this code, and returns its text. */
    text: async (args: readonly string[], code = 0, input?: string) => {
      const result = await run(args, input)
      assert.equal(result.code, code, `${args.join(' ')}: ${result.stdout}${result.stderr}`)
      return `${result.stdout}${result.stderr}`
    },
    /** The same with --json: standard output is one document. */
    json: async (args: readonly string[], code = 0, input?: string) => {
      const result = await run([...args, '--json'], input)
      assert.equal(result.code, code, `${args.join(' ')}: ${result.stdout}${result.stderr}`)
      assert.ok(!result.stdout.includes('\x1b'))
      return JSON.parse(result.stdout)
    },
  }
}

const customer = async () => {
  const account = await service.createCustomer()
  return { account, ...userOf(account.api_key) }
}

test('a user logs in, publishes, edits, lists, searches, deletes and logs out', async () => {
  const { api_key } = await service.createCustomer()
  const { json, text, credentials } = userOf()
  assert.match(await text(['login'], 0, `${api_key}\n`), /Logged in to http:\/\/localhost:\d+ as Harbour Notices/)
  assert.equal((await stat(credentials)).mode & 0o777, 0o600)
  assert.deepEqual(JSON.parse(await readFile(credentials, 'utf8')), { base_url: service.baseUrl, api_key })

  const checked = await text(['check', 'message', '--text', 'The ferry to Cacilhas runs again.', '--place', 'Lisbon'])
  assert.match(checked, /The post is valid.*\nPrice: {7}\$0\.\d+\n/)
  assert.match(checked, /^Place: Lisbon, Portugal$/m)

  const file = join(folder.path, 'message.json')
  await writeFile(file, JSON.stringify({ text: 'replaced by the option', topics: ['ferries'] }))
  const published = await text([
    'post',
    'message',
    file,
    '--text',
    'The ferry to Cacilhas runs again.',
    '--place',
    'Lisbon',
  ])
  assert.match(published, /^published {2}message {2}post_\w+$/m)
  const url = published.trimEnd().split('\n').at(-1) ?? ''
  assert.match(published, /^http:\/\/localhost:\d+\/p\/post_\w+$/m)
  const id = /post_\w+/.exec(published)?.[0] ?? ''

  const record = await json(['status', id])
  assert.deepEqual([record.id, record.status, record.kind], [id, 'published', 'message'])
  assert.ok(published.includes(record.url), url)
  assert.match(await text(['wait', id]), /^published/)
  assert.equal((await json(['wait', id])).id, id)

  const mine = await text(['mine', '--status', 'published'])
  assert.match(
    mine,
    new RegExp(`${id} {2}published {2}message {2}\\d{4}-\\d\\d-\\d\\d {2}The ferry to Cacilhas runs again\\.`),
  )
  assert.deepEqual(
    (await json(['mine', '--limit', '1'])).data.map((post: { id: string }) => post.id),
    [id],
  )

  const edited = await json(['edit', id, '--text', 'The ferry to Cacilhas runs every ten minutes.'])
  assert.ok(['queued', 'accepted'].includes(edited.edit.status))
  await service.settle()
  assert.match(await text(['status', id]), /^Edit: {6}accepted/m)

  assert.match(await text(['search', 'ferry', 'cacilhas']), /message +The ferry to Cacilhas runs every ten minutes\./)
  assert.equal((await json(['search', 'cacilhas'])).data[0].id, id)
  assert.match(await text(['place', 'Lisbon']), /^Lisbon, Portugal +PT +PT-11 +2267057$/m)
  assert.equal((await json(['place', 'Portland, OR'])).data[0].location.state, 'US-OR')
  assert.match(await text(['balance']), /^Balance: {8}\$9\.\d+\n/)
  assert.ok((await json(['balance'])).balance_micros > 9_000_000)

  assert.equal(await text(['delete', id, '--yes']), `Deleted ${id}.\n`)
  assert.equal((await json(['status', id])).status, 'deleted')
  assert.match(await text(['logout']), /Deleted the saved key/)
  assert.deepEqual(JSON.parse(await readFile(credentials, 'utf8')), { base_url: service.baseUrl })
  assert.equal((await json(['mine'], 4)).code, 'missing_api_key')
  assert.equal((await json(['logout'])).logged_out, false)
})

test('every kind of post can be published from options', async () => {
  const { json } = await customer()
  const story = ['--title', 'A day on the river', '--body', `@${join(folder.path, 'story.md')}`, '--topic', 'river']
  await writeFile(join(folder.path, 'story.md'), `${String(Object(kindNamed('story').examples[0]).body)}\n`)
  assert.equal((await json(['post', 'story', ...story, '--topic', 'boats'])).status, 'published')
  const ad = ['--title', 'Oak desk', '--body', 'A solid desk with two drawers.', '--category', 'for-sale']
  const more = ['--price', '120 EUR', '--condition', 'good', '--place', 'Lisbon']
  assert.equal((await json(['post', 'classified', ...ad, ...more])).status, 'published')
  const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  const event = ['--title', 'Open rehearsal', '--body', 'The harbour choir rehearses in public.']
  const times = ['--timezone', 'Europe/Lisbon', '--starts-at', at(30), '--ends-at', at(31), '--place', 'Porto']
  assert.equal((await json(['post', 'event', ...event, ...times])).status, 'published')
})

test('a post can be queued without waiting, scheduled, and published once by its key', async () => {
  const { json, text } = await customer()
  const queued = await json(['post', 'message', '--text', 'The tram 28 has new seats.', '--no-wait'])
  assert.equal(queued.status, 'queued')
  assert.equal((await json(['wait', queued.id])).status, 'published')
  const publishAt = new Date(Date.now() + 86_400_000).toISOString()
  const { draft } = await json(['post', 'message', '--text', 'The market opens at six.', '--publish-at', publishAt])
  assert.equal(draft.state, 'scheduled')
  const once = ['post', 'message', '--text', 'The lighthouse is open on Sunday.', '--idempotency-key', 'lighthouse-1']
  const [first, second] = [await json(once), await json(once)]
  assert.equal(first.id, second.id)
  const fromInput = await text(['post', 'message', '-'], 0, JSON.stringify({ text: 'The library has a new roof.' }))
  assert.match(fromInput, /^published/)
})

test('rejected posts exit with 9, posts in review with 10, and both say why', async () => {
  const { json, text } = await customer()
  const rejected = await text(['post', 'message', '--text', 'verdict-low-quality'], 9)
  assert.match(rejected, /^rejected/)
  assert.match(rejected, /^Reason: {4}./m)
  assert.match(rejected, /^To change: ./m)
  const review = await json(['post', 'message', '--text', 'verdict-review please look at this'], 10)
  assert.equal(review.status, 'review')
  assert.match(await text(['wait', review.id, '--timeout', '1'], 10), /^Review: {4}a person decides/m)
  assert.equal((await json(['wait', review.id, '--timeout', '1', '--through-review'], 10)).id, review.id)
})

test('each class of failure has its exit code, and says what to do', async () => {
  const { json, text, run } = await customer()
  const invalid = await text(['check', 'message', '--title', 'No text'], 3)
  assert.match(invalid, /^Error: Invalid request body \(validation_failed\)$/m)
  assert.match(invalid, /^ {2}text +\S/m)
  assert.match(invalid, /^ {2}title +\S/m)
  assert.match(invalid, /^What to do: Correct these fields/m)
  assert.match(invalid, /^About this problem: http:.*\/problems\/validation_failed$/m)
  assert.match(invalid, /^Request: [0-9a-f]{32}$/m)
  const problem = await json(['check', 'message', '--title', 'No text'], 3)
  assert.equal(problem.code, 'validation_failed')
  assert.match(await text(['status', 'post_01jcmzq8e5f7r9t2v4x6y8z0ab'], 6), /broadside mine/)

  const wrongKey = userOf(`bsk_${'A'.repeat(43)}`)
  assert.match(await wrongKey.text(['balance'], 4), /broadside login/)
  const { api_key } = await service.createAccount()
  const poor = await userOf(api_key).text(['post', 'message', '--text', 'The ferry is late.'], 5)
  assert.match(poor, /^For the owner: http:\/\/localhost:\d+\/\S+$/m)

  const nobody = `http://127.0.0.1:${await quietPort()}`
  const away = await runCommandLine(['place', 'Lisbon', '--url', nobody, '--json'], { env: wrongKey.env })
  assert.deepEqual([away.code, JSON.parse(away.stdout).code], [8, 'connection_failed'])

  const several = await json(['check', 'message', '--text', 'A fair in town.', '--place', 'Springfield'], 3)
  assert.equal(several.code, 'place_ambiguous')
  assert.ok(several.candidates.length > 2)
  assert.match(await text(['check', 'message', '--text', 'A', '--place', 'Xyzzyqq'], 3), /No place is called Xyzzyqq/)

  const usage: [string[], RegExp][] = [
    [['pots'], /Did you mean `broadside post`\?/],
    [['post', 'messages'], /Did you mean message\?/],
    [['mine', '--limt', '5'], /Did you mean --limit\?/],
    [['mine', '--limit', 'many'], /whole number/],
    [['mine', '--status', 'publish'], /Did you mean published\?/],
    [['check', 'message'], /The post is missing/],
    [['check', 'message', '--text'], /--text needs a value/],
    [['check', 'message', '--text', '--json'], /--text needs a value/],
    [['check', 'classified', '--price', 'cheap'], /120 EUR/],
    [['check', 'message', '/does/not/exist.json'], /ENOENT/],
    [['status'], /<post-id> is missing/],
    [['listen'], /--forward-to is missing/],
    [['listen', '--forward-to', 'localhost:3000'], /http:\/\/localhost:3000/],
  ]
  for (const [args, message] of usage) {
    const { code, stdout, stderr } = await run(args)
    assert.equal(code, 2, args.join(' '))
    assert.match(stdout + stderr, message)
  }
})

test('an account is created with a saved key that is never printed', async () => {
  const { json, text, credentials } = userOf()
  assert.match(await text(['login', '--create'], 2), /--name is missing/)
  const terms = ['login', '--create', '--name', 'Pier Notes', '--email', 'pier@example.com']
  assert.match(await text(terms, 2), /\/terms\//)
  const created = await text([...terms, '--accept-terms'])
  const { api_key } = JSON.parse(await readFile(credentials, 'utf8'))
  assert.ok(!created.includes(api_key))
  assert.match(created, /^For the owner: http:\/\/localhost:\d+\/\S+$/m)
  assert.equal((await json(['balance'])).balance_micros, 0)
  assert.equal((await json([...terms, '--accept-terms'], 2)).code, 'already_logged_in')
})

test('a saved key goes to the sites of its service and to no other address', async () => {
  const { api_key } = await service.createCustomer()
  const { env, run, json } = userOf()
  await run(['login'], api_key)
  assert.ok((await json(['balance', '--url', String(service.baseUrls['event'])])).balance_micros > 0)
  const seen: (string | undefined)[] = []
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization)
    response.end('{}')
  }).listen(0, '127.0.0.1')
  const other = `http://127.0.0.1:${await new Promise((resolve) =>
    server.once('listening', () => resolve((server.address() as { port: number }).port)),
  )}`
  const result = await runCommandLine(['balance', '--url', other, '--json'], { env })
  server.close()
  assert.deepEqual([result.code, JSON.parse(result.stdout).code], [4, 'saved_key_of_another_service'])
  assert.deepEqual(seen, [])
})

test('doctor checks everything, and exits like the first failure', async () => {
  const { json, text, env } = await customer()
  const report = await json(['doctor'])
  const names = report.checks.map(({ name }: { name: string }) => name)
  const expected = ['versions', 'address', 'name', 'connection', 'site', 'clock', 'moderation', 'key', 'publishing']
  assert.deepEqual(names, [...expected, 'email', 'standing', 'balance'])
  assert.equal(report.ok, true)
  assert.match(await text(['doctor']), /^ok {7}balance {5}\$10\.00, enough for a post of each kind$/m)
  const poor = await service.createAccount()
  assert.match(await userOf(poor.api_key).text(['doctor'], 5), /^failed {3}balance.*\n +Ask the owner to top up/m)
  const nobody = `http://127.0.0.1:${await quietPort()}`
  const away = await runCommandLine(['doctor', '--url', nobody], { env })
  assert.equal(away.code, 8)
  assert.match(away.stdout, /^failed {3}connection {2}No connection \(ECONNREFUSED\)/m)
  assert.match(await userOf('not-a-key').text(['doctor'], 4), /^failed {3}key/m)
  assert.match(await userOf().text(['doctor'], 4), /There is no API key/)
})

test('stream prints posts as they are published, and own events', async () => {
  const { env, json } = await customer()
  await using all = startCommandLine(['stream', '--json'], { env })
  await using own = startCommandLine(['stream', '--mine'], { env })
  await using text = startCommandLine(['stream', '--kind', 'message'], { env })
  const publish = () => json(['post', 'message', '--text', `A new bench, ${crypto.randomUUID()}`])
  // A stream that is still connecting misses the first posts.
  while ([all, own, text].some(({ output }) => output.stdout === '')) await publish()
  const { id } = await publish()
  await all.until('stdout', new RegExp(id))
  await own.until('stdout', new RegExp(`^post\\.published {2}message {2}http\\S+${id} {2}published$`, 'm'))
  await text.until('stdout', new RegExp(`^post\\.published {2}message {2}http\\S+${id} {2}A new bench`, 'm'))
  all.child.kill('SIGINT')
  const { code, stdout, stderr } = await all.ended
  assert.equal(code, 0)
  for (const line of stdout.trim().split('\n')) assert.ok(JSON.parse(line).data)
  assert.match(stderr, /broadside stream --after \S+/)
})
