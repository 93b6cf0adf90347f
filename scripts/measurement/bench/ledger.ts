import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { charge } from '../../../src/ledger/charges.ts'
import { connect, type Database, inTransaction } from '../../../src/platform/database/database.ts'
import { newId } from '../../../src/platform/identifiers.ts'
import { decimal, readOptions, wholeNumber } from '../../../tooling/script-options.ts'
import { migratedDatabase, type OwnDatabase } from '../../../tooling/services/databases.ts'

const run = promisify(execFile)
const clients = 16
const priceMicros = 20_000

/** A charge is a single statement for a metered search, and part of a transaction for a submitted post. */
const loads = [
  { label: '10,000 accounts', accounts: 10_000, inside: 'nothing' },
  { label: 'one hot account', accounts: 1, inside: 'nothing' },
  { label: '10,000 accounts, in a transaction', accounts: 10_000, inside: 'transaction' },
  { label: 'one hot account, in a transaction', accounts: 1, inside: 'transaction' },
] as const
type Inside = (typeof loads)[number]['inside']

/** Alternates both sides, so that temporary noise affects both. The result is the median ratio of the rounds. */
export async function benchLedger(args: string[]): Promise<void> {
  const { seconds, rounds } = readOptions(args, { seconds: decimal(8), rounds: wholeNumber(3) })
  await using database = await migratedDatabase('bench')
  await using connection = connect(database.urls.api, { poolMax: clients, applicationName: 'bench' })
  const ids = await openAccounts(database, 10_000)
  const folder = await mkdtemp(join(tmpdir(), 'broadside-bench-'))
  try {
    for (const { label, accounts, inside } of loads) {
      const script = join(folder, 'charge.sql')
      await writeFile(script, chargeScript(accounts, inside))
      const results: { bare: number; code: number; ratio: number }[] = []
      // A warm-up, so that compiling, planning and opening connections are not measured.
      await runPgbench(database.urls.api, script, 1)
      await runCharges(connection.db, { ids: ids.slice(0, accounts), inside, seconds: 1 })
      for (let round = 1; round <= rounds; round++) {
        const bare = await runPgbench(database.urls.api, script, seconds)
        const code = await runCharges(connection.db, { ids: ids.slice(0, accounts), inside, seconds })
        results.push({ bare, code, ratio: code / bare })
        console.log(
          `${label}, round ${round}: pgbench ${bare.toFixed(0)}/s, code ${code.toFixed(0)}/s, ratio ${(code / bare).toFixed(2)}`,
        )
      }
      const middle = results.sort((one, other) => one.ratio - other.ratio)[Math.floor(rounds / 2)]
      console.log(JSON.stringify({ bench: 'ledger', load: label, clients, ...rounded(middle) }))
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

const rounded = (result: Record<string, number> | undefined) =>
  Object.fromEntries(Object.entries(result ?? {}).map(([name, value]) => [name, Math.round(value * 100) / 100]))

/** Accounts with more than enough balance, numbered so that pgbench can choose one by number. */
async function openAccounts({ urls }: OwnDatabase, count: number): Promise<string[]> {
  await using owner = connect(urls.migrator, { poolMax: 1, applicationName: 'bench setup', statementTimeoutMs: 0 })
  const id = `'acct_0' || lpad(n::text, 25, '0')`
  await owner.pool.query(`insert into accounts (id, name, email, policy_version, created_at)
    select ${id}, 'bench', 'bench@example.com', 'bench', '2026-01-01' from generate_series(1, ${count}) n`)
  await owner.pool.query(`insert into balances select ${id}, 1000000000000000, 0 from generate_series(1, ${count}) n`)
  await owner.pool.query('analyze')
  return Array.from({ length: count }, (_, index) => `acct_0${String(index + 1).padStart(25, '0')}`)
}

/** The statements that `charge` sends. Ids are based on the time, as ours are, so that indexes grow in the same way. */
function chargeScript(accounts: number, inside: Inside): string {
  const [begin, commit] = inside === 'transaction' ? ['begin;\n', 'commit;\n'] : ['', '']
  const time = `lpad(to_hex((extract(epoch from clock_timestamp()) * 1000000)::bigint), 13, '0')`
  const unique = `${time} || lpad(to_hex((:client_id)::integer), 4, '0') || lpad(to_hex((:r)::integer), 8, '0')`
  return `\\set a random(1, ${accounts})
\\set r random(1, 2000000000)
${begin}insert into ledger_transfers (id, account_id, from_book, to_book, amount_micros, reason, subject, part, entered_at)
values ('txn_0' || ${unique}, 'acct_0' || lpad((:a)::text, 25, '0'), 'prepaid', 'revenue', ${priceMicros}, 'post',
  'post_0' || ${unique}, 0, '2026-11-15T12:00:00Z')
on conflict on constraint transfer_once do nothing;
${commit}`
}

async function runPgbench(url: string, script: string, seconds: number): Promise<number> {
  const options = ['-n', '-M', 'prepared', '-c', String(clients), '-j', '2', '-T', String(seconds), '-f', script]
  const { stdout } = await run('pgbench', [...options, url], { maxBuffer: 8 << 20 })
  return Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1])
}

type Load = { ids: readonly string[]; inside: Inside; seconds: number }

async function runCharges(db: Database, { ids, inside, seconds }: Load): Promise<number> {
  const until = performance.now() + seconds * 1_000
  const startedAt = performance.now()
  let charged = 0
  const client = async () => {
    while (performance.now() < until) {
      const at = new Date()
      const accountId = String(ids[Math.floor(Math.random() * ids.length)])
      const reason = 'post' as const
      const act = { accountId, keyId: null, amountMicros: priceMicros, reason, subject: newId('post', at), at }
      await (inside === 'transaction' ? inTransaction(db, (tx) => charge(tx, act)) : charge(db, act))
      charged++
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  return charged / ((performance.now() - startedAt) / 1_000)
}
