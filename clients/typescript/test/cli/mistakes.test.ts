import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { runCommandLine } from '../../../../tooling/clients/command-line.ts'
import { refuse, serve } from '../misbehaving-server.ts'

let folder: Awaited<ReturnType<typeof mkdtempDisposable>>
before(async () => {
  folder = await mkdtempDisposable(join(tmpdir(), 'broadside-mistakes-'))
})
after(() => folder.remove())

const env = () => ({ XDG_CONFIG_HOME: folder.path, BROADSIDE_URL: 'http://127.0.0.1:9', BROADSIDE_API_KEY: 'bsk_a' })

test('ordinary mistakes are usage errors that say what is wrong', async () => {
  const latin = join(folder.path, 'latin.json')
  writeFileSync(latin, Buffer.from('{"text": "caf\xe9"}', 'latin1'))
  const link = join(folder.path, 'link')
  symlinkSync(join(folder.path, 'nowhere'), link)
  const cases: [string[], RegExp][] = [
    [['status', ''], /<post-id> is empty\./],
    [['status', '..'], /'\.\.' is not a valid id/],
    [['status', 'post_a', 'post_b'], /Too many arguments\./],
    [['check', 'message', latin], /latin\.json is not UTF-8 text\./],
    [['check', 'story', '--title', 'A', '--body', `@${latin}`], /latin\.json is not UTF-8 text\./],
    [['init', link], /link cannot be created/],
    [['balance', '--url', 'ftp://m.example'], /The address must start with https:/],
  ]
  for (const [args, message] of cases) {
    const { code, stdout, stderr } = await runCommandLine(args, { env: env() })
    assert.equal(code, 2, `${args.join(' ')}: ${stdout}${stderr}`)
    assert.match(stderr, message)
    assert.doesNotMatch(stderr, /^ +at /m)
  }
})

test('with --json, a failure of stream or listen is one line', async () => {
  await using server = await serve(refuse(401, 'invalid_api_key'))
  for (const args of [
    ['stream', '--mine'],
    ['listen', '--forward-to', 'http://localhost:9/'],
    ['stream', '--kidn', 'event'],
    ['--json', 'listen'],
  ]) {
    const { stdout } = await runCommandLine([...args, '--json'], { env: { ...env(), BROADSIDE_URL: server.baseUrl } })
    assert.equal(stdout.trimEnd().split('\n').length, 1, stdout)
    assert.ok(JSON.parse(stdout).code)
  }
})

test('without a place to save it, listen makes a secret for once and says so', async () => {
  const file = join(folder.path, 'file')
  writeFileSync(file, '')
  const { code, stdout, stderr } = await runCommandLine(['listen', '--print-secret'], {
    env: { ...env(), XDG_CONFIG_HOME: file },
  })
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^whsec_\S+\n$/)
  assert.match(stderr, /^The signing secret is not saved .*cannot be written \(ENOTDIR\)\.$/m)
})

test('a damaged login is a line of doctor, and stops no command that does not need it', async () => {
  const home = join(folder.path, 'damaged')
  mkdirSync(join(home, 'broadside'), { recursive: true })
  writeFileSync(join(home, 'broadside/credentials.json'), '{')
  await using server = await serve(refuse(401, 'invalid_api_key'))
  const both = { XDG_CONFIG_HOME: home, BROADSIDE_URL: server.baseUrl, BROADSIDE_API_KEY: 'bsk_a' }
  const { BROADSIDE_API_KEY: _, ...noKey } = both
  assert.equal((await runCommandLine(['balance'], { env: both })).code, 4)
  assert.equal(server.seen.length, 1)
  assert.equal((await runCommandLine(['balance'], { env: noKey })).code, 1)
  const warned = await runCommandLine(['doctor'], { env: both })
  assert.match(warned.stdout, /^warning {2}login file {2}The saved login is not a JSON object: /m)
  const failed = await runCommandLine(['doctor'], { env: noKey })
  assert.match(failed.stdout, /^failed {3}login file {2}The saved login/m)
})
