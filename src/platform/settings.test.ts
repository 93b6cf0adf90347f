import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSettings, SettingsError, settings } from './settings.ts'

test('all missing and wrong settings are listed in one message', () => {
  assert.throws(
    () =>
      readSettings({ API_PORT: 'ninety', SITES: 'nonsense' }, [
        'BROADSIDE_ENVIRONMENT',
        'API_PORT',
        'SITES',
        'LOG_LEVEL',
      ]),
    (error: Error) =>
      error instanceof SettingsError &&
      /BROADSIDE_ENVIRONMENT: missing/.test(error.message) &&
      /API_PORT: not valid/.test(error.message) &&
      /SITES: not valid/.test(error.message) &&
      !/LOG_LEVEL/.test(error.message) &&
      !/ninety/.test(error.message),
  )
})

test('sites are read as a map from kind to origin', () => {
  const { SITES } = readSettings({ SITES: 'message=http://localhost:4001 story=https://stories.example' }, ['SITES'])
  assert.deepEqual(SITES, { message: 'http://localhost:4001', story: 'https://stories.example' })
})

test('an origin is taken without a slash or a path, which would end up inside every link', () => {
  const read = (url: string) => readSettings({ ACCOUNT_PAGE_URL: url }, ['ACCOUNT_PAGE_URL']).ACCOUNT_PAGE_URL
  assert.equal(read('http://localhost:4000'), 'http://localhost:4000')
  for (const url of [
    'https://account.example/',
    'https://account.example/owner',
    'account.example',
    'mailto:a@b.example',
  ])
    assert.throws(() => read(url), SettingsError, url)
})

test('the model’s address is taken without a slash at its end, a query or credentials', () => {
  const read = (url: string) => readSettings({ MODEL_URL: url }, ['MODEL_URL']).MODEL_URL
  for (const url of ['http://127.0.0.1:4301', 'https://models.example/team']) assert.equal(read(url), url)
  for (const url of [
    'http://127.0.0.1:4301/',
    'https://models.example?a=b',
    'https://a:b@models.example',
    'ftp://m.example',
  ])
    assert.throws(() => read(url), SettingsError, url)
})

test('every setting explains itself', () => {
  for (const [name, setting] of Object.entries(settings)) assert.ok(setting.description, `${name} has no description`)
})
