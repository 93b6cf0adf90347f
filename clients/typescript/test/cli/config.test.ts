import assert from 'node:assert/strict'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { credentialsPath, isReadableByOthers, readLogin, readUsefulLogin, saveLogin } from '../../src/cli/config.ts'

test('the login is saved where each system keeps settings', () => {
  assert.equal(credentialsPath({ XDG_CONFIG_HOME: '/x', HOME: '/h' }, 'linux'), '/x/broadside/credentials.json')
  assert.equal(credentialsPath({ HOME: '/h' }, 'linux'), '/h/.config/broadside/credentials.json')
  assert.match(credentialsPath({ APPDATA: '/roaming', XDG_CONFIG_HOME: '/x' }, 'win32'), /^\/roaming.broadside/)
})

test('only the user can read the saved login, also if the file was readable before', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'broadside-config-'))
  const environment = { XDG_CONFIG_HOME: folder.path }
  assert.deepEqual(readLogin(environment), {})
  const path = saveLogin(environment, { base_url: 'https://m.example', api_key: 'bsk_a' })
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.equal(statSync(dirname(path)).mode & 0o777, 0o700)
  chmodSync(path, 0o644)
  assert.ok(isReadableByOthers(environment))
  saveLogin(environment, { ...readLogin(environment), listen_secret: 'whsec_a' })
  assert.ok(!isReadableByOthers(environment))
  assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), {
    base_url: 'https://m.example',
    api_key: 'bsk_a',
    listen_secret: 'whsec_a',
  })
  assert.deepEqual(readdirSync(dirname(path)), ['credentials.json'])
})

test('a damaged login file is named, and its content is not repeated', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'broadside-config-'))
  const environment = { XDG_CONFIG_HOME: folder.path }
  mkdirSync(join(folder.path, 'broadside'))
  for (const content of ['{"api_key": "bsk_secret"', '[]', 'null']) {
    writeFileSync(credentialsPath(environment), content)
    assert.throws(
      () => readLogin(environment),
      (error: Error) => error.message.includes('credentials.json') && !error.message.includes('bsk_secret'),
    )
  }
})

test('a damaged login file is no obstacle if the environment has the address and the key', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'broadside-config-'))
  const environment = { XDG_CONFIG_HOME: folder.path, BROADSIDE_URL: 'https://m.example' }
  mkdirSync(join(folder.path, 'broadside'))
  writeFileSync(credentialsPath(environment), '{')
  assert.throws(() => readUsefulLogin(environment))
  assert.deepEqual(readUsefulLogin({ ...environment, BROADSIDE_API_KEY: 'bsk_a' }), {})
})

test('the login is not written through a link or a file that is left from before', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'broadside-config-'))
  const environment = { XDG_CONFIG_HOME: folder.path }
  const path = credentialsPath(environment)
  const target = join(folder.path, 'target')
  mkdirSync(dirname(path))
  symlinkSync(target, `${path}.${process.pid}`)
  saveLogin(environment, { api_key: 'bsk_a' })
  assert.ok(!existsSync(target))
  assert.equal(statSync(path).mode & 0o777, 0o600)
  assert.deepEqual(readdirSync(dirname(path)), ['credentials.json'])
})

test('a login that cannot be saved is an error with the path, and leaves nothing behind', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'broadside-config-'))
  const environment = { XDG_CONFIG_HOME: folder.path }
  // A folder in the place of the file cannot be replaced.
  mkdirSync(credentialsPath(environment), { recursive: true })
  assert.throws(() => saveLogin(environment, { api_key: 'bsk_a' }), {
    code: 'login_not_saved',
    message: /credentials\.json cannot be written \(E\w+\)\.$/,
  })
  assert.deepEqual(readdirSync(join(folder.path, 'broadside')), ['credentials.json'])
  writeFileSync(join(folder.path, 'file'), '')
  assert.throws(() => saveLogin({ XDG_CONFIG_HOME: join(folder.path, 'file') }, {}), { code: 'login_not_saved' })
})
