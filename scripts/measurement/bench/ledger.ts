import { execFile } from 'node:child_process'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { charge } from '../../../src/ledger/charges.ts'
import { connect } from '../../../src/platform/database/database.ts'
import { newId } from '../../../src/platform/identifiers.ts'
import { decimal, readOptions, wholeNumber } from '../../../tooling/script-options.ts'
import { accountId } from '../../generation/seed/batch.ts'
import { seededDatabase } from '../../generation/seed/seeded-database.ts'
import { clients, compare, load } from './harness.ts'
import { accounts, openAccounts } from './service.ts'

const run = promisify(execFile)
const priceMicros = 20_000

export async function benchLedger(args: string[]): Promise<void> {
  const { seconds, rounds } = readOptions(args, { seconds: decimal(8), rounds: wholeNumber(3) })
  await using database = await seededDatabase(1_000)
  await openAccounts(database)
  await using connection = connect(database.urls.api, { poolMax: clients, applicationName: 'bench' })
  await using folder = await mkdtempDisposable(join(tmpdir(), 'broadside-bench-'))
  const script = join(folder.path, 'charge.sql')
  for (const count of [accounts, 1]) {
    await writeFile(script, chargeScript(count))
    await compare(`charges a second, accounts: ${count}`, rounds, {
      pgbench: async () => {
        const options = ['-n', '-M', 'prepared', '-c', String(clients), '-j', '2', '-T', String(Math.ceil(seconds))]
        const { stdout } = await run('pgbench', [...options, '-f', script, database.urls.api])
        return Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1])
      },
      code: async () => {
        const result = await load({ seconds }, async () => {
          const at = new Date()
          const account = accountId(Math.floor(Math.random() * count))
          const act = { accountId: account, keyId: null, amountMicros: priceMicros, subject: newId('post', at), at }
          await charge(connection.db, { ...act, reason: 'post' })
        })
        return result.perSecond
      },
    })
  }
}

/** The statement that `charge` sends. Ids are based on the time, as ours are, so that indexes grow in the same way. */
function chargeScript(count: number): string {
  const time = `lpad(to_hex((extract(epoch from clock_timestamp()) * 1000000)::bigint), 13, '0')`
  const unique = `${time} || lpad(to_hex((:client_id)::integer), 4, '0') || lpad(to_hex((:r)::integer), 8, '0')`
  return `\\set a random(1, ${count})
\\set r random(1, 2000000000)
insert into ledger_transfers (id, account_id, from_book, to_book, amount_micros, reason, subject, part, entered_at)
values ('txn_0' || ${unique}, 'acct_0' || lpad((:a)::text, 25, '0'), 'prepaid', 'revenue', ${priceMicros}, 'post',
  'post_0' || ${unique}, 0, '2026-11-15T12:00:00Z')
on conflict on constraint transfer_once do nothing;
`
}
