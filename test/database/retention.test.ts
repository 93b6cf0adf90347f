import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { retentionNames, retentionOf } from '../../src/contract/retention/periods.ts'
import { storedTable, storedTables, type TableName } from '../../src/contract/retention/tables.ts'
import { jobNames } from '../../src/jobs/jobs.ts'
import { type Connection, connect } from '../../src/platform/database/database.ts'
import { createLogger } from '../../src/platform/observability/logger.ts'
import { makePurger, purges } from '../../src/retention.ts'
import { migratedDatabase, type OwnDatabase } from '../../tooling/services/databases.ts'
import { accountColumns } from '../support/accounts/account-rows.ts'
import { read } from '../support/repository.ts'

let database: OwnDatabase
let admin: pg.Client
let worker: Connection
before(async () => {
  database = await migratedDatabase('retention')
  admin = new pg.Client({ connectionString: database.adminUrl })
  await admin.connect()
  worker = connect(database.urls.worker, { poolMax: 1, applicationName: 'test retention' })
})
after(async () => {
  await worker[Symbol.asyncDispose]()
  await admin.end()
  await database[Symbol.asyncDispose]()
})

const names = async (sql: string) => (await admin.query<{ table: string }>(sql)).rows.map(({ table }) => table)
/** Partitions have no entries of their own. */
const partitions = 'array(select relname from pg_class where relispartition)'
const tables = Object.keys(storedTables) as TableName[]
const logger = createLogger('silent', 'test')
const at = new Date('2026-11-16T12:00:00Z')

test('every table either expires or has a reason to stay', async () => {
  const all = await names(
    `select table_name as table from information_schema.tables where table_schema = 'public' and table_name <> all (${partitions})`,
  )
  assert.deepEqual(all.toSorted(), tables.toSorted())
  const expiring = new Set<string>(
    retentionNames
      .map(retentionOf)
      .filter(({ expires }) => expires === 'row')
      .map(({ table }) => table),
  )
  for (const table of tables) assert.equal(storedTable(table).staysBecause === null, expiring.has(table), table)
})

test('every period is applied by a job, by the queue or where new rows are created', () => {
  const others = ['pg-boss', 'createOwnerLink']
  const unknown = retentionNames.filter(
    (name) => ![...jobNames, ...others].includes(retentionOf(name).deletedBy) || retentionOf(name).keptSeconds < 0,
  )
  assert.deepEqual(unknown, [])
  const purged = retentionNames.filter((name) => retentionOf(name).deletedBy === 'purge-expired')
  assert.deepEqual(Object.keys(purges).toSorted(), purged.toSorted())
})

/** Tables that name an account, or something that belongs to one. */
const belongingToAccounts = `
  select distinct table_name as table from information_schema.columns
  where table_schema = 'public' and table_name <> all (${partitions}) and domain_name in
    ('account_id', 'draft_id', 'event_id', 'key_id', 'payment_id', 'post_id', 'refund_id', 'relay_id', 'report_id', 'transfer_id', 'webhook_id')
  union
  select conrelid::regclass::text from pg_constraint where contype = 'f' and confrelid = 'accounts'::regclass`

test('account deletion covers every table that refers to an account or to something that belongs to one', async () => {
  const uncovered = (await names(belongingToAccounts)).filter(
    (table) => !storedTable(table as TableName).onAccountDeletion,
  )
  assert.deepEqual(uncovered, [])
  const explained = read('docs/erasure.md')
  for (const table of tables)
    if (storedTable(table).onAccountDeletion) assert.ok(explained.includes(`\`${table}\``), `${table} is not explained`)
})

test('close_account deletes and erases what the list says happens at once', async () => {
  const { rows } = await admin.query<{ prosrc: string }>(
    `select prosrc from pg_proc where proname = 'close_account' or proname like 'forget!_%' escape '!'`,
  )
  const body = rows.map(({ prosrc }) => prosrc).join('\n')
  const cascading = await names(
    `select distinct conrelid::regclass::text as table from pg_constraint where contype = 'f' and confdeltype = 'c'`,
  )
  for (const table of tables) {
    const deletion = storedTable(table).onAccountDeletion
    const verb = deletion?.does === 'deleted' ? 'delete from' : 'update'
    if (deletion?.when === 'at once' && !cascading.includes(table))
      assert.match(body, new RegExp(`\\b${verb} ${table}\\b`), table)
  }
  const deleted = [...body.matchAll(/\bdelete from (\w+)/g)].map((match) => match[1] as TableName)
  for (const table of deleted) assert.equal(storedTable(table).onAccountDeletion?.does, 'deleted', table)
  assert.ok((await names(accountColumns)).length > 20)
})

test('the worker may delete everything that expires', async () => {
  await makePurger({ db: worker.db, logger })(at)
})

test('a step that fails does not keep the others from running, and the job fails', async () => {
  const ran: string[] = []
  const steps = {
    first: async () => ran.push('first'),
    broken: async () => Promise.reject(new Error('broken')),
    last: async () => ran.push('last'),
  }
  await assert.rejects(makePurger({ db: worker.db, logger, steps })(at), /could not purge broken/)
  assert.deepEqual(ran, ['first', 'last'])
})

test('a purge ends between two steps when its process ends', async () => {
  const ending = new AbortController()
  const ran: string[] = []
  const steps = {
    first: async () => {
      ending.abort()
      return ran.push('first')
    },
    last: async () => ran.push('last'),
  }
  await assert.rejects(makePurger({ db: worker.db, logger, steps })(at, ending.signal), { name: 'AbortError' })
  assert.deepEqual(ran, ['first'])
})
