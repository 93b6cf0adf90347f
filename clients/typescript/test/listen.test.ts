import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Webhook } from 'standardwebhooks'
import { patienceMs, quietPort } from '../../../tooling/services/state.ts'

const program = fileURLToPath(new URL('../src/listen/main.ts', import.meta.url))
const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
const newSecret = `whsec_${Buffer.alloc(32, 2).toString('base64')}`

/** A Node process with these arguments, killed when it leaves scope. `until` waits for matching output. */
function run(args: string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = { stdout: '', stderr: '' }
  const wrote = new EventEmitter()
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (text: string) => {
      output[stream] += text
      wrote.emit('more')
    })
  const ended = once(child, 'close').then(([code]) => {
    wrote.emit('more')
    return code as number | null
  })
  const until = async (stream: 'stdout' | 'stderr', pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const found = pattern.exec(output[stream])
      if (found) return found
      assert.ok(child.exitCode === null, `the process ended without ${pattern}: ${output.stderr}`)
      await once(wrote, 'more', { signal: AbortSignal.timeout(patienceMs) })
    }
  }
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
  }
  return { child, output, until, ended, [Symbol.asyncDispose]: stop }
}

const runProgram = (args: string[], env?: NodeJS.ProcessEnv) => run([program, ...args], env)

/** Starts the receiver on a free port and waits until it listens. */
async function listen(args: string[] = [], env: NodeJS.ProcessEnv = { BROADSIDE_WEBHOOK_SECRET: secret }) {
  const running = runProgram(['listen', '--port', '0', ...args], env)
  const [, url = ''] = await running.until('stderr', /Listening on (http:\S+),/)
  return { ...running, url, line: (number: number) => running.until('stdout', new RegExp(`^([^\\n]*\\n){${number}}`)) }
}

type Sent = { id?: string; type?: string; data?: unknown; secrets?: string[] }

function signed({ id = 'evt_a', type = 'post.published', data = {}, secrets = [secret] }: Sent = {}) {
  const at = new Date()
  const body = JSON.stringify({ type, timestamp: '2026-11-15T12:00:03.000Z', data })
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': secrets.map((one) => new Webhook(one).sign(id, at, body)).join(' '),
  }
  return { method: 'POST', headers, body }
}

const deliver = (url: string, sent?: Sent) => fetch(url, signed(sent))

test('a verified delivery gets a 204 and is printed as one line: time, type, id and the outcome of the post', async () => {
  await using receiver = await listen()
  const data = { id: 'post_a', kind: 'message', status: 'published', url: 'https://m.example/p/post_a' }
  assert.equal((await deliver(`${receiver.url}/any/path?at=all`, { data })).status, 204)
  await receiver.line(1)
  assert.match(
    receiver.output.stdout,
    /^\d\d:\d\d:\d\dZ {2}post\.published {2}evt_a {2}post_a {2}published {2}https:\/\/m\.example\/p\/post_a\n$/,
  )
})

test('test events, unknown types and unexpected data are printed', async () => {
  await using receiver = await listen()
  await deliver(receiver.url, { id: 'evt_a', type: 'webhook.test', data: { endpoint_id: 'wh_a' } })
  await deliver(receiver.url, { id: 'evt_b', type: 'post.sung', data: ['a'] })
  await deliver(receiver.url, { id: 'evt_c', type: 'post.sung', data: null })
  await receiver.line(3)
  const lines = receiver.output.stdout.split('\n').map((line) => line.slice(11))
  assert.deepEqual(lines, ['webhook.test  evt_a  wh_a', 'post.sung  evt_b', 'post.sung  evt_c', ''])
})

test('a repeated event is marked, and Ctrl-C prints a count', async () => {
  await using receiver = await listen()
  for (const id of ['evt_a', 'evt_b', 'evt_a']) await deliver(receiver.url, { id })
  await fetch(receiver.url, { method: 'POST' })
  await receiver.line(3)
  const lines = receiver.output.stdout.trimEnd().split('\n')
  assert.deepEqual(
    lines.map((line) => line.endsWith('(repeat)')),
    [false, false, true],
  )
  receiver.child.kill('SIGINT')
  assert.equal(await receiver.ended, 0)
  assert.match(receiver.output.stderr, /Received 3 \(1 repeated\); rejected 1\.\n$/)
})

test('the receiver says how the service can reach it', async () => {
  await using receiver = await listen()
  const [text] = await receiver.until('stderr', /public https URLs on port 443.*webhooks\/\{id\}\/test/s)
  assert.match(text, /tunnel or a reverse proxy/)
})

test('an unverified delivery gets a 400, and one line says why and what to check', async () => {
  await using receiver = await listen()
  const stale = signed()
  stale.headers['webhook-timestamp'] = '1790000000'
  const cases = [
    [signed({ secrets: [newSecret] }), 'no_match', /Check that the secret/],
    [{ ...signed(), body: '{}' }, 'no_match', /the body is unchanged/],
    [stale, 'too_old', /clock/],
    [{ method: 'POST' }, 'missing_header', /proxy/],
  ] as const
  for (const [delivery, reason, advice] of cases) {
    const response = await fetch(receiver.url, delivery)
    assert.equal(response.status, 400)
    assert.match(await response.text(), new RegExp(`^${reason}: .*\\n$`))
    const [line] = await receiver.until('stderr', new RegExp(`rejected \\(400 ${reason}\\).*\\n`))
    assert.match(line, advice)
  }
  assert.equal(receiver.output.stdout, '')
})

test('during a rotation both secrets are accepted, from the environment or as an option', async () => {
  const both = `${secret} ${newSecret}`
  for (const [args, env] of [
    [[], { BROADSIDE_WEBHOOK_SECRET: ` ${both}\n` }] as const,
    [['--secret', both], {}] as const,
  ]) {
    await using receiver = await listen([...args], env)
    for (const secrets of [[secret], [newSecret], [newSecret, secret]])
      assert.equal((await deliver(receiver.url, { secrets })).status, 204)
  }
})

test('with --json each event is one line of JSON, and standard output contains nothing else', async () => {
  await using receiver = await listen(['--json'])
  const data = { id: 'post_a', text: '\u001b[2J \u009b31m \u202e \u2028 \u{e0041} é 😀' }
  await deliver(receiver.url, { data })
  await fetch(receiver.url, { method: 'POST' })
  await deliver(receiver.url, { data })
  await receiver.line(2)
  const lines = receiver.output.stdout.trimEnd().split('\n')
  const [first, second] = lines.map((line) => JSON.parse(line))
  assert.deepEqual([first.id, first.type, first.is_repeat, second.is_repeat], ['evt_a', 'post.published', false, true])
  assert.deepEqual([first.data, first.timestamp], [data, '2026-11-15T12:00:03.000Z'])
  assert.ok(Date.parse(first.received_at) > 0)
  assert.doesNotMatch(lines.join(''), /[\p{C}\p{Zl}\p{Zp}]/u)
  assert.match(lines.join(''), /é 😀/)
})

test('no request, signed or not, can write control codes to the terminal', async () => {
  await using receiver = await listen()
  const hostile = '\u001b[2J\u001b]0;title\u0007\r\nfake\t\u007f\u009b31m\u202ereversed\u2028\u2066\u{e0041}\ud800'
  // A header cannot contain codes below 32, but it can contain codes from 128.
  const delivery = signed({
    id: 'evt_\u009b31m',
    type: `a.${hostile}`,
    data: { id: hostile, status: hostile.repeat(99) },
  })
  const unsigned = { ...delivery, headers: { ...delivery.headers, 'webhook-signature': '\u009b31m' } }
  assert.equal(await statusOf(receiver.url, unsigned), 400)
  assert.equal(await statusOf(receiver.url, delivery), 204)
  await receiver.line(1)
  assert.match(receiver.output.stdout, /a\.\[2J\]0;titlefake31mreversed {2}evt_31m /)
  for (const text of Object.values(receiver.output))
    assert.doesNotMatch(text.replaceAll('\n', ''), /[\p{C}\p{Zl}\p{Zp}]/u)
  assert.equal(receiver.output.stdout.split('\n').length, 2)
  assert.ok(receiver.output.stdout.length < 1_000)
})

/** Uses node:http, which sends header values that fetch would reject. */
async function statusOf(url: string, { method, headers, body }: ReturnType<typeof signed>) {
  // A Buffer, because with a string Node would encode the headers like the body.
  const outgoing = request(url, { method, headers }).end(Buffer.from(body))
  const [response] = await once(outgoing, 'response')
  response.resume()
  return response.statusCode as number
}

test('a method other than POST gets a 405 and an explanation', async () => {
  await using receiver = await listen()
  for (const method of ['GET', 'PUT', 'DELETE', 'HEAD']) {
    const response = await fetch(receiver.url, { method })
    assert.deepEqual([response.status, response.headers.get('allow')], [405, 'POST'])
  }
  await receiver.until('stderr', /rejected \(405 method_not_allowed\) .*POST/)
})

test('a body of 64 KiB is accepted, and one byte more gets a 413', async () => {
  await using receiver = await listen()
  const sizeOf = (body: string) => Buffer.byteLength(body)
  const empty = sizeOf(signed({ data: '' }).body)
  const fitting = signed({ data: 'a'.repeat(65_536 - empty) })
  assert.equal(sizeOf(fitting.body), 65_536)
  assert.equal((await fetch(receiver.url, fitting)).status, 204)
  assert.equal((await fetch(receiver.url, signed({ data: 'a'.repeat(65_537 - empty) }))).status, 413)
  assert.equal((await fetch(receiver.url, { method: 'POST', body: 'a'.repeat(5_000_000) })).status, 413)
  await receiver.until('stderr', /rejected \(413 body_too_large\) .*64 KiB/)
})

test('a sender that disconnects midway affects no other sender', async () => {
  await using receiver = await listen()
  const socket = connect(Number(new URL(receiver.url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.end('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\n{')
  socket.resume()
  await once(socket, 'close')
  assert.equal((await deliver(receiver.url)).status, 204)
})

test('a port that is in use gives a clear message', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await using running = runProgram(['listen', '--port', String(port)], { BROADSIDE_WEBHOOK_SECRET: secret })
  assert.equal(await running.ended, 1)
  const sentence = `Port ${port} on 127.0.0.1 is already in use. Stop the process that uses it, or choose another port with --port.\n`
  assert.deepEqual(running.output, { stdout: '', stderr: sentence })
  server.close()
})

test('an address of another machine gives a clear message', async () => {
  await using running = runProgram(['listen', '--host', '192.0.2.1'], { BROADSIDE_WEBHOOK_SECRET: secret })
  assert.equal(await running.ended, 1)
  assert.match(running.output.stderr, /^Cannot listen on port 8787 on 192\.0\.2\.1 \(EADDRNOTAVAIL\)\. .*--host.*\n$/)
})

test('the help lists every option', async () => {
  for (const args of [['--help'], ['listen', '-h'], ['listen', '--port', 'x', '--help']]) {
    await using running = runProgram(args)
    assert.equal(await running.ended, 0)
    for (const word of ['--port', '--host', '--secret', 'BROADSIDE_WEBHOOK_SECRET', '--json', '--help', 'tunnel'])
      assert.ok(running.output.stdout.includes(word), word)
  }
})

test('an invalid command line exits with 2 and says what to do', async () => {
  const known = { BROADSIDE_WEBHOOK_SECRET: secret }
  const cases = [
    [[], known, /The only command is `listen`/],
    [['lissen'], known, /The only command is `listen`/],
    [['listen'], {}, /Set BROADSIDE_WEBHOOK_SECRET/],
    [['listen'], { BROADSIDE_WEBHOOK_SECRET: secret.slice(0, 20) }, /A secret is whsec_ followed by base64/],
    [['listen', '--prot', '1'], known, /Unknown option '--prot'\.\n/],
    [['listen', '--port'], known, /'--port <value>' argument missing\.\n/],
    [['listen', '--port', '65536'], known, /a number from 0 to 65535/],
    [['listen', '--port', 'x'], known, /a number from 0 to 65535/],
    [['listen', '--host', ''], known, /an IP address of this machine/],
    [['listen', '\u001b[2J'], known, /Unexpected argument '\[2J'\.\n/],
  ] as const
  const runOne = async ([args, env, expected]: (typeof cases)[number]) => {
    await using running = runProgram([...args], env)
    assert.equal(await running.ended, 2, args.join(' '))
    assert.match(running.output.stderr, expected)
    assert.match(running.output.stderr, /listen --help` lists the options\.\n$/)
    assert.ok(!running.output.stderr.includes(secret.slice(6, 20)), 'the secret is not repeated')
  }
  for (const one of cases) await runOne(one)
})

test('the receiver in the README works as written', async () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const example = /```js\n([^`]*node:http.*?)```/s.exec(readme)?.[1] ?? ''
  const [port, client] = [await quietPort(), new URL('../src/index.ts', import.meta.url).href]
  // Changes only what a test must: imports the client from this tree, and uses a free port.
  const code = example.replace("'broadside'", `'${client}'`).replace('8787', `${port}, () => console.log('up')`)
  await using running = run(['--input-type=module', '--eval', code], { BROADSIDE_WEBHOOK_SECRET: secret })
  await running.until('stdout', /up\n/)
  const url = `http://127.0.0.1:${port}`
  const data = { id: 'post_é', kind: 'message', status: 'published', url: 'https://m.example/p/post_a' }
  assert.equal((await deliver(url, { data })).status, 204)
  assert.equal((await deliver(url, { data, secrets: [newSecret] })).status, 400)
  await running.until('stdout', /https:\/\/m\.example\/p\/post_a/)
})
