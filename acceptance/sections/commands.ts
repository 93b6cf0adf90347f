// The operator's command: every sub-command explains itself, and those that only read, or undo each other, are run.
import { eventually, freshAccount, operator } from '../accounts.ts'
import { equal, hasStatus, holds, includes, isArray, match } from '../assert.ts'
import { type Json, section, show } from '../checks.ts'
import { published } from '../fixtures.ts'
import { at, freshAddress } from '../http.ts'

const test = section('commands')

test('help: operations: each sub-command that --help lists explains itself', async () => {
  const overview: string = await operator('--help')
  const lines = [...overview.matchAll(/^ {2}(\S+(?: [a-z-]+)*)((?: [<[]\S+)*) {2,}\S/gm)]
  holds(lines.length > 20, 'sub-commands of --help', 'more than 20', lines.length)
  const helps = await Promise.all(
    lines.map(async ([, name]) => ({ name, text: String(await operator(...name.split(' '), '--help')) })),
  )
  for (const { name, text } of helps) {
    match(text, /^Usage: /, `${name} --help`)
    includes(text, name, `${name} --help`)
  }
})

const reads: [words: string, test: (printed: Json) => boolean][] = [
  ['database status', ({ program, schema }) => program === schema],
  ['settings', (text) => text.includes('DATABASE_URL')],
  ['ledger verify', ({ difference_count, sum_micros }) => difference_count === 0 && sum_micros === '0'],
  ['audit verify', (printed) => printed !== ''],
  ['log verify', (printed) => printed !== ''],
  ['payments list', (printed) => printed !== ''],
  ['staff list', (printed) => Array.isArray(printed) || typeof printed === 'object'],
  ['decisions export', (printed) => printed !== ''],
]
for (const [words, isRight] of reads)
  test(`${words.replace(' ', '-')}: operations: ${words} succeeds and prints what it found`, async () => {
    const printed = await operator(...words.split(' '))
    holds(isRight(printed), words, 'a right answer', show(printed, 1000))
  })
test('doctor: operations: doctor finds nothing wrong with what was started', async () => {
  const printed = await operator('doctor')
  match(show(printed, 10_000), /\bok\b|no problem|✓|nothing/i, 'what doctor prints')
})

test('account: operations: an account is shown, debited, banned and restored', async () => {
  const account = await freshAccount({ micros: 100_000 })
  includes(JSON.stringify(await operator('account', 'show', account.id)), account.id, 'account show')
  await operator('debit', account.id, '40000', '--reason', 'test')
  equal(await account.balance(), 60_000, 'balance after the debit')
  await operator('account', 'ban', account.id, '--reason', 'test')
  equal((await account.record()).standing, 'banned', 'standing after the ban')
  await operator('account', 'unban', account.id, '--reason', 'test')
  equal((await account.record()).standing, 'good', 'standing after the ban was lifted')
})
test('reports: operations: the reports about a post are shown with their texts', async () => {
  const { id } = await published['message']()
  const details = 'The tram in this message does not exist, says the acceptance suite.'
  const report = { post_id: id, category: 'other', detail: details }
  hasStatus(await at('message').post('/v1/reports', report, { from: await freshAddress() }), 202)
  await eventually(async () => includes(JSON.stringify(await operator('reports', 'show', id)), details, 'reports show'))
})
test('keys: operations: a revoked key is rejected at its next call', async () => {
  const account = await freshAccount()
  const { keys } = await operator('account', 'show', account.id)
  isArray(keys, 'keys of account show')
  await operator('keys', 'revoke', keys[0].id, '--reason', 'test')
  await eventually(async () =>
    equal((await at('message').get('/v1/account', { key: account.key })).status, 401, 'status of the next call'),
  )
})
