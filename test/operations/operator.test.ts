// Runs alone: it starts processes.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { isProblem } from '../../clients/typescript/src/index.ts'
import { commandWords } from '../../src/bin/command.ts'
import { loadCommands } from '../../src/bin/commands/index.ts'
import { penalty } from '../../src/ledger/split-transfers.ts'
import { connect, inTransaction } from '../../src/platform/database/database.ts'
import { asAdministrator } from '../../src/platform/database/database-setup.ts'
import { settings } from '../../src/platform/settings/settings.ts'
import { type ApiProcess, runOperator, startApi } from '../../tooling/environment/processes.ts'
import { newcomer } from '../../tooling/environment/service.ts'
import { migratedDatabase, type OwnDatabase } from '../../tooling/services/databases.ts'
import { repoDir } from '../../tooling/services/state.ts'
import { explainAll, type Help } from '../support/explain-all.ts'
import { read } from '../support/repository.ts'

let database: OwnDatabase
let api: ApiProcess
const resources = new AsyncDisposableStack()
before(async () => {
  database = resources.use(await migratedDatabase('operator'))
  api = resources.use(await startApi(database))
})
after(() => resources.disposeAsync())

const run = (...args: string[]) => runOperator({ ...api.settings, SUDO_USER: 'mara' }, ...args)
const why = ['--reason', 'a test'] as const

async function createAccount() {
  const { body } = await api.client().createAccount(newcomer)
  return { id: body.id, client: api.client(body.api_key) }
}

const query = async <Row extends object>(sql: string, values: unknown[] = []) =>
  (await asAdministrator(database.adminUrl, (admin) => admin.query<Row>(sql, values))).rows

const balanceOf = async (accountId: string) =>
  (await query('select prepaid_micros::int, owed_micros::int from balances where account_id = $1', [accountId]))[0]

const actsOn = (accountId: string) =>
  query(
    "select actor, action, account_id, details->>'reason' as reason from audit_log where account_id = $1 order by id",
    [accountId],
  )

const act = (action: string, account_id: string) => ({ actor: 'operator:mara', action, account_id, reason: 'a test' })

/** Refused: exit code 1, a sentence with the reason, no stack trace, and nothing on stdout for scripts. */
async function assertRefused(args: readonly string[], says: RegExp) {
  const { code, stdout, stderr } = await run(...args)
  assert.equal(code, 1, stderr)
  assert.match(stderr, says)
  assert.doesNotMatch(stderr, /^ {4}at /m)
  assert.equal(stdout, '')
}

test('a credit is booked once under its name despite retries, and leaves one audit row', async () => {
  const { id, client } = await createAccount()
  const args = ['credit', id, '5000000', '--id', `ticket-${id}`, ...why]
  const [one, other] = await Promise.all([run(...args), run(...args)])
  const printed = { account_id: id, balance_micros: 5_000_000, owed_micros: 0 }
  for (const { code, json, stderr } of [one, other]) {
    assert.equal(code, 0, stderr)
    const { booked: _, ...rest } = json ?? {}
    assert.deepEqual(rest, printed)
  }
  assert.deepEqual([one.json?.['booked'], other.json?.['booked']].sort(), ['already', 'done'])
  assert.equal((await client.getAccount()).body.balance_micros, 5_000_000)
  assert.deepEqual(await actsOn(id), [act('ledger.credit', id)])
  await assertRefused(['credit', id, '6000000', '--id', `ticket-${id}`, ...why], /another account or amount/)
  assert.deepEqual(await balanceOf(id), { prepaid_micros: 5_000_000, owed_micros: 0 })
  assert.deepEqual(await actsOn(id), [act('ledger.credit', id)])
})

test('two credits without a name are two credits', async () => {
  const { id } = await createAccount()
  await Promise.all([run('credit', id, '7', ...why), run('credit', id, '7', ...why)])
  assert.deepEqual(await balanceOf(id), { prepaid_micros: 14, owed_micros: 0 })
  assert.deepEqual(await actsOn(id), [act('ledger.credit', id), act('ledger.credit', id)])
})

test('a credit settles the debt first', async () => {
  const { id } = await createAccount()
  await using worker = connect(database.urls.worker, { poolMax: 1, applicationName: 'test worker' })
  const due = { accountId: id, amountMicros: 300_000, subject: `post:${id}`, at: new Date() }
  await inTransaction(worker.db, (tx) => penalty(tx, due))
  const partly = await run('credit', id, '100000', ...why)
  assert.deepEqual([partly.json?.['balance_micros'], partly.json?.['owed_micros']], [0, 200_000])
  const wholly = await run('credit', id, '1000000', ...why)
  assert.deepEqual([wholly.json?.['balance_micros'], wholly.json?.['owed_micros']], [800_000, 0])
})

test('a debit takes at most the available balance; a larger one books and audits nothing', async () => {
  const { id } = await createAccount()
  await run('credit', id, '1000', ...why)
  await assertRefused(['debit', id, '1001', ...why], /too low\. Nothing was recorded/)
  const taken = await run('debit', id, '400', ...why)
  assert.deepEqual(taken.json, { account_id: id, booked: 'done', balance_micros: 600, owed_micros: 0 })
  assert.deepEqual(await actsOn(id), [act('ledger.credit', id), act('ledger.debit', id)])
})

test('a command with wrong arguments changes nothing', async () => {
  const { id } = await createAccount()
  const unknown = 'acct_01jcmzq8e5f7r9t2v4x6y8z0ab'
  await Promise.all([
    assertRefused(['credit', id, '5'], /--reason is required/),
    assertRefused(['credit', id, '5', '--reason', ' '], /--reason is required/),
    assertRefused(['credit', id, '0', ...why], /positive whole number/),
    assertRefused(['credit', id, '1.5', ...why], /whole number/),
    assertRefused(['credit', id, ...why], /^Usage: /),
    assertRefused(['credit', id, '5', '--reson', 'x'], /--reson/),
    assertRefused(['credit', id, '5', '--id', 'x'.repeat(61), ...why], /up to 60/),
  ])
  await Promise.all([
    assertRefused(['credit', unknown, '5', ...why], /There is no account/),
    assertRefused(['credit', 'bsk_x', '5', ...why], /is acct_ followed/),
    assertRefused(['account', 'ban', id], /--reason is required/),
    assertRefused(['keys', 'revoke', 'key_01jcmzq8e5f7r9t2v4x6y8z0ab', ...why], /There is no key/),
  ])
  assert.deepEqual(await balanceOf(id), { prepaid_micros: 0, owed_micros: 0 })
  assert.deepEqual(await actsOn(id), [])
})

test('a banned account can still read its record, and a ban is lifted once', async () => {
  const { id, client } = await createAccount()
  await assertRefused(['account', 'unban', id, ...why], /standing is 'good', not 'banned'/)
  assert.deepEqual((await run('account', 'ban', id, ...why)).json, { account_id: id, standing: 'banned' })
  assert.equal((await client.getAccount()).body.standing, 'banned')
  await assertRefused(['account', 'ban', id, ...why], /standing is 'banned', not 'good'/)
  assert.deepEqual((await run('account', 'unban', id, ...why)).json, { account_id: id, standing: 'good' })
  assert.equal((await client.getAccount()).body.standing, 'good')
  assert.deepEqual(await actsOn(id), [act('account.ban', id), act('account.unban', id)])
})

test('an account is shown with its keys and actions, and a revoked key is refused from the next call', async () => {
  const { id, client } = await createAccount()
  await client.getAccount()
  const before = (await run('account', 'show', id)).json as {
    id: string
    balance_micros: number
    keys: { id: string }[]
  }
  assert.equal(before.id, id)
  assert.equal(before.balance_micros, 0)
  assert.equal(before.keys.length, 1)
  const key = String(before.keys[0]?.id)
  const [one, other] = await Promise.all([run('keys', 'revoke', key, ...why), run('keys', 'revoke', key, ...why)])
  assert.deepEqual([one.code, other.code], [0, 0])
  await assert.rejects(client.getAccount(), (error) => isProblem(error, 'invalid_api_key'))
  const shown = await run('account', 'show', id)
  const { keys, acts } = shown.json as { keys: { revoked_at: string }[]; acts: { action: string }[] }
  assert.match(String(keys[0]?.revoked_at), /Z$/)
  assert.deepEqual(
    acts.map(({ action }) => action),
    ['key.revoke'],
  )
  assert.doesNotMatch(shown.stdout, /bsk_|hash/)
  assert.deepEqual(await actsOn(id), [act('key.revoke', id)])
})

test('ledger verify passes on a correct ledger, and names an account with a manipulated balance', async () => {
  const { id } = await createAccount()
  await run('credit', id, '5000000', ...why)
  const clean = await run('ledger', 'verify')
  assert.equal(clean.code, 0, clean.stderr)
  assert.equal(clean.json?.['sum_micros'], '0')
  assert.equal(clean.json?.['difference_count'], 0)
  await query('update balances set prepaid_micros = prepaid_micros + 1 where account_id = $1', [id])
  const tampered = await run('ledger', 'verify')
  await query('update balances set prepaid_micros = prepaid_micros - 1 where account_id = $1', [id])
  assert.equal(tampered.code, 1)
  assert.deepEqual(tampered.json?.['differences'], [
    {
      account_id: id,
      prepaid_micros: { kept: '5000001', entered: '5000000' },
      owed_micros: { kept: '0', entered: '0' },
    },
  ])
  assert.match(tampered.stderr, /do not match/)
})

test('settings lists every setting', async () => {
  const { code, stdout } = await run('settings')
  assert.equal(code, 0)
  for (const name of Object.keys(settings)) assert.match(stdout, new RegExp(`^${name}\n {2}\\S`, 'm'))
})

test('every command has help, and printing it runs nothing', async () => {
  const commands = await loadCommands()
  const helps = await explainAll(commands.map(commandWords))
  assert.equal(helps.length, commands.length)
  for (const [index, { usage, summary }] of commands.entries()) {
    const { code, text } = helps[index] as Help
    assert.equal(code, 0, text)
    assert.ok(text.startsWith(`Usage: npm run broadside -- ${usage}`), text)
    assert.ok(text.includes(summary))
  }
})

test('a command prints no warning of Node', async () => {
  const pages = await mkdtemp(join(tmpdir(), 'broadside-documents-'))
  const env = { ...process.env, ...api.settings, PAGES_DIRECTORY: pages }
  const { status, stderr } = spawnSync('npm', ['run', '--silent', 'broadside', '--', 'documents'], {
    ...{ cwd: repoDir, env, encoding: 'utf8' },
  })
  await rm(pages, { recursive: true })
  assert.deepEqual([status, stderr], [0, ''])
  for (const file of ['deploy/systemd/broadside', 'deploy/container/broadside'])
    assert.ok(read(file).includes('--disable-warning=ExperimentalWarning'), file)
})

test('an unknown sub-command lists the known ones and exits 2', async () => {
  const [unknown, help] = await Promise.all([run('acount', 'show'), run('-h')])
  assert.equal(unknown.code, 2)
  assert.match(unknown.stderr, /Unknown subcommand 'acount show'/)
  assert.equal(help.code, 0, help.stderr)
  for (const { usage } of await loadCommands()) assert.ok(help.stdout.includes(usage) && unknown.stdout.includes(usage))
})
