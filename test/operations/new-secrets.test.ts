import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { asAdministrator, urlFor } from '../../src/platform/database/database-setup.ts'
import { secretSettings } from '../../src/platform/settings/secret-settings.ts'
import { readSettings } from '../../src/platform/settings/settings.ts'
import { runOperator } from '../../tooling/environment/processes.ts'
import { startPostgres } from '../../tooling/services/postgres.ts'

const folder = mkdtempSync(join(tmpdir(), 'broadside-secrets-'))
after(() => rmSync(folder, { recursive: true }))
const production = { BROADSIDE_ENVIRONMENT: 'production' }

test('secrets create writes valid secrets that only their owner can read, and never replaces one', async () => {
  const directory = join(folder, 'new')
  const first = await runOperator(production, 'secrets', 'create', directory)
  assert.equal(first.code, 0, first.stderr)
  const names = readdirSync(directory).sort()
  const { created, kept } = first.json as { created: string[]; kept: string[] }
  assert.deepEqual([created.sort(), kept], [names, []])
  assert.equal(statSync(directory).mode & 0o777, 0o700)
  const contents = new Map(names.map((name) => [name, readFileSync(join(directory, name), 'utf8')]))
  assert.equal(new Set(contents.values()).size, names.length)
  for (const name of names) assert.equal(statSync(join(directory, name)).mode & 0o777, 0o600, name)
  const files = Object.fromEntries(names.map((name) => [`${name}_FILE`, join(directory, name)]))
  const known = secretSettings.filter((name) => names.includes(name))
  assert.equal(known.length, names.length)
  const read = readSettings({ ...production, ...files }, known)
  assert.match(read.API_DATABASE_URL, /^postgres:\/\/broadside_api:[\w-]{43}@127\.0\.0\.1:5432\/broadside$/)
  assert.match(read.SECRETS_KEYS[0]?.id ?? '', /^\d{4}-\d\d$/)

  rmSync(join(directory, 'DESK_SECRET'))
  const again = await runOperator(production, 'secrets', 'create', directory)
  assert.deepEqual(again.json?.['created'], ['DESK_SECRET'])
  for (const [name, content] of contents)
    assert.equal(readFileSync(join(directory, name), 'utf8') === content, name !== 'DESK_SECRET', name)
  assert.deepEqual(readdirSync(directory).sort(), names)
})

test('database password changes one role and its file, and a repeat finishes an interrupted change', async () => {
  const { adminUrl } = await startPostgres()
  // Other tests use the roles of this server, so the test has a role of its own in place of broadside_reader.
  const name = `broadside_password_${randomBytes(4).toString('hex')}`
  await asAdministrator(adminUrl, (admin) => admin.query(`create role ${name} login password 'first'`))
  await using _cleaning = {
    [Symbol.asyncDispose]: async () =>
      void (await asAdministrator(adminUrl, (admin) => admin.query(`drop role ${name}`))),
  }
  const url = new URL(urlFor(adminUrl, 'postgres'))
  ;[url.username, url.password] = [name, 'first']
  const file = join(folder, 'READER_DATABASE_URL')
  writeFileSync(file, `${url.href}\n`, { mode: 0o600 })
  const settings = { ...production, READER_DATABASE_URL_FILE: file }
  const current = () => readFileSync(file, 'utf8').trim()
  const accepts = async (candidate: string) => {
    const client = new pg.Client({ connectionString: candidate })
    const outcome = await client.connect().then(
      () => true,
      () => false,
    )
    await client.end()
    return outcome
  }

  const changed = await runOperator(settings, 'database', 'password', 'reader')
  assert.equal(changed.code, 0, changed.stderr)
  assert.equal(changed.json?.['file'], file)
  const second = current()
  assert.notEqual(second, url.href)
  assert.deepEqual([await accepts(url.href), await accepts(second)], [false, true])
  assert.equal(statSync(file).mode & 0o777, 0o600)

  // As if the command had been killed before PostgreSQL changed, and after it.
  for (const isAltered of [false, true]) {
    const before = current()
    const next = new URL(before)
    next.password = `next-${isAltered}`
    writeFileSync(`${file}.next`, `${next.href}\n`, { mode: 0o600 })
    if (isAltered)
      await asAdministrator(adminUrl, (admin) => admin.query(`alter role ${name} password '${next.password}'`))
    const finished = await runOperator(settings, 'database', 'password', 'reader')
    assert.equal(finished.code, 0, finished.stderr)
    assert.equal(current(), next.href)
    assert.deepEqual([await accepts(before), await accepts(next.href)], [false, true])
    assert.deepEqual(
      readdirSync(folder).filter((entry) => entry.endsWith('.next')),
      [],
    )
  }

  const wrong = await runOperator(settings, 'database', 'password', 'somebody')
  assert.match(wrong.stderr, /^The role must be one of migrator, api/)
})
