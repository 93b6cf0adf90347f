import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { secretSettings } from './secret-settings.ts'
import { readSettings, SettingsError, settings } from './settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'broadside-settings-'))
after(() => rmSync(folder, { recursive: true }))

function fileWith(text: string): string {
  const path = join(mkdtempSync(join(folder, 'file-')), 'value')
  writeFileSync(path, text)
  return path
}

test('a setting can be given by a file, whose trailing newline does not count', () => {
  const url = 'smtps://user:password@mail.example'
  for (const text of [url, `${url}\n`, `${url}\r\n`])
    assert.equal(readSettings({ SMTP_URL_FILE: fileWith(text) }, ['SMTP_URL']).SMTP_URL, url)
  const { API_PORT } = readSettings({ API_PORT_FILE: fileWith('4105\n') }, ['API_PORT'])
  assert.equal(API_PORT, 4105)
})

test('every other newline belongs to the value', () => {
  const key = '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----'
  assert.equal(readSettings({ MAIL_DKIM_KEY_FILE: fileWith(`${key}\n`) }, ['MAIL_DKIM_KEY']).MAIL_DKIM_KEY, key)
})

test('an empty file and an empty variable count as missing', () => {
  for (const given of [{ JUDGE_API_KEY_FILE: fileWith('') }, { JUDGE_API_KEY_FILE: fileWith('\n') }])
    assert.equal(readSettings(given, ['JUDGE_API_KEY']).JUDGE_API_KEY, undefined)
  assert.throws(() => readSettings({ SMTP_URL_FILE: fileWith('\n') }, ['SMTP_URL']), /SMTP_URL: missing/)
  const other = { SMTP_URL: 'smtp://127.0.0.1:25' }
  assert.equal(readSettings({ ...other, SMTP_URL_FILE: '' }, ['SMTP_URL']).SMTP_URL, other.SMTP_URL)
  assert.equal(
    readSettings({ SMTP_URL: '', SMTP_URL_FILE: fileWith(other.SMTP_URL) }, ['SMTP_URL']).SMTP_URL,
    other.SMTP_URL,
  )
})

test('both forms together are an error that names both and quotes neither', () => {
  const both = { SMTP_URL: 'smtp://one.example', SMTP_URL_FILE: fileWith('smtp://two.example') }
  assert.throws(
    () => readSettings(both, ['SMTP_URL']),
    (error) =>
      error instanceof SettingsError &&
      /set SMTP_URL or SMTP_URL_FILE, not both/.test(error.message) &&
      !/one\.example|two\.example/.test(error.message),
  )
})

test('a file that cannot be read is named in one line, among all other faults', () => {
  const missing = join(folder, 'nowhere')
  assert.throws(
    () => readSettings({ SMTP_URL_FILE: missing, API_PORT: 'ninety' }, ['SMTP_URL', 'API_PORT']),
    (error) =>
      error instanceof SettingsError &&
      error.message.includes(`SMTP_URL: cannot read the file ${missing} of SMTP_URL_FILE (ENOENT).`) &&
      error.message.includes('API_PORT: invalid') &&
      error.message.split('\n').length === 3,
  )
})

test('the rules for production hold for files too', () => {
  const pages = { PAGES_DIRECTORY_FILE: fileWith('/srv/checkout/.broadside/www\n') }
  const read = (environment: string) =>
    readSettings({ ...pages, BROADSIDE_ENVIRONMENT_FILE: fileWith(environment) }, ['PAGES_DIRECTORY'])
  assert.throws(() => read('production'), /PAGES_DIRECTORY: must not be/)
  read('development')
})

test('no setting ends in _FILE, and every setting that is named like a secret is in the list of secrets', () => {
  const names = Object.keys(settings)
  assert.deepEqual(
    names.filter((name) => name.endsWith('_FILE')),
    [],
  )
  // This one is a path that nginx opens.
  const like = names.filter((name) => /DATABASE_URL|SMTP_URL|TOKEN|SECRET|PASSWORD|_KEYS?$/.test(name))
  assert.deepEqual(like.filter((name) => name !== 'GATEWAY_CERTIFICATE_KEY').sort(), [...secretSettings].sort())
})
