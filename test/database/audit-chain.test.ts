import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import fc from 'fast-check'
import pg from 'pg'
import { type ChainEntry, type ChainFault, readAuditHead, verifyAuditChain } from '../../src/platform/audit-chain.ts'
import { type Connection, connect } from '../../src/platform/database/database.ts'
import { type DatabaseRole, databaseRoles } from '../../src/platform/database/database-setup.ts'
import { runOperator } from '../../tooling/environment/processes.ts'
import { migratedDatabase, type OwnDatabase } from '../../tooling/services/databases.ts'
import { accounts, changes, last, rowsFrom, tamperings } from '../support/database/audit-tampering.ts'

const resources = new AsyncDisposableStack()
let database: OwnDatabase
let reader: Connection
let owner: pg.Client

async function clientOf(role: DatabaseRole): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.urls[role] })
  await client.connect()
  return client
}

before(async () => {
  database = resources.use(await migratedDatabase('audit'))
  reader = resources.use(connect(database.urls.reader, { poolMax: 1, applicationName: 'test reader' }))
  owner = await clientOf('migrator')
  resources.defer(() => owner.end())
  for (const id of accounts)
    await owner.query(
      "insert into accounts (id, name, email, policy_version, created_at) values ($1, 'Ann', 'a@example.com', 'p', '2026-01-01')",
      [id],
    )
  await Promise.all(Array.from({ length: 20 }, (_, number) => act(number)))
})
after(() => resources.disposeAsync())

/** Each role signs as it may; the texts contain characters that escaping or a wrong byte count would break on. */
const writers = [
  ['api', `owner:${accounts[0]}`],
  ['worker', 'system:wörker'],
  ['owner_page', `owner:${accounts[1]}`],
  ['desk', 'staff:ädä'],
  ['operator', 'operator:marä 🚢'],
] as const

const insert = 'insert into audit_log (at, actor, action, account_id, details) values ($1, $2, $3, $4, $5)'
const valuesOf = (actor: string, number: number) => [
  `2026-11-15T10:00:00.${String(number).padStart(6, '0')}Z`,
  actor,
  `test.act_${number}`,
  accounts[number % 3] ?? null,
  JSON.stringify({ number, text: 'ß "1:-"', deep: { b: [1.5, null], a: true } }),
]

/**
 * One transaction with two rows that are committed, and between them one that a savepoint rolls back, chained or not.
 */
async function act(number: number): Promise<void> {
  const [role, actor] = writers[number % writers.length] ?? writers[0]
  const client = await clientOf(role)
  try {
    await client.query('begin')
    await client.query(insert, valuesOf(actor, number))
    await client.query('savepoint s')
    await client.query(insert, valuesOf(actor, number + 1_000))
    if (number % 3 === 0) await client.query('set constraints all immediate')
    await client.query('rollback to s')
    await client.query(insert, valuesOf(actor, number + 2_000))
    await client.query(number % 10 === 9 ? 'rollback' : 'commit')
  } finally {
    await client.end()
  }
}

const verify = (expected: ChainEntry | null = null) => verifyAuditChain(reader.db, expected, () => {})
const namesOf = (faults: readonly ChainFault[]) => faults.map(({ fault, position }) => [fault, position ?? 'new'])
const run = (...args: string[]) =>
  runOperator({ BROADSIDE_ENVIRONMENT: 'test', READER_DATABASE_URL: database.urls.reader }, 'audit', 'verify', ...args)

test('an empty log verifies, and has no head', async () => {
  await using empty = await migratedDatabase('empty_audit')
  await using connection = connect(empty.urls.reader, { poolMax: 1, applicationName: 'test reader' })
  const found = await verifyAuditChain(connection.db, null, () => {})
  assert.deepEqual(found, { entries: 0, head: null, ok: true, fault_count: 0, faults: [] })
  assert.equal(await readAuditHead(connection.db), null)
})

test('twenty concurrent transactions of every writing role make one chain without a gap', async () => {
  const { entries, head, faults } = await verify()
  assert.deepEqual(faults, [])
  assert.equal(entries, last)
  const { position, hash } = (await readAuditHead(reader.db)) ?? {}
  assert.equal(head, `${position}:${hash}`)
  assert.equal(position, last)
})

suite('the application’s roles cannot change or shorten the audit log', () => {
  const statements = [
    "update audit_log set actor = 'x'",
    'delete from audit_log',
    'truncate audit_log cascade',
    'select from audit_log for update',
    "copy audit_chain from program 'true'",
    'alter table audit_log disable trigger chain_audit_row',
    'alter table audit_log disable trigger all',
    'alter table audit_log disable row level security',
    'drop trigger chain_audit_row on audit_log',
    'create rule quiet as on insert to audit_log do instead nothing',
    'drop function chain_audit_row cascade',
    'alter function chain_audit_row rename to x',
    "create or replace function audit_row_bytes(entry audit_log) returns bytea language sql as 'select null::bytea'",
    'set session_replication_role = replica',
    "insert into audit_chain values (99, 99, sha256(''))",
    "update audit_chain set hash = sha256('')",
    'delete from audit_chain',
    'truncate audit_chain',
    "insert into audit_head values (true, 0, sha256(''))",
    'update audit_head set position = 0',
    'delete from audit_head',
    'truncate audit_head',
    'lock table audit_head in row exclusive mode',
    'drop table audit_chain',
    'set role broadside_migrator',
  ]
  // Signed as the role may, because a wrong name would be refused anyway.
  const chosenId = (role: DatabaseRole, id: string) =>
    `insert into audit_log (id, at, actor, action) overriding system value
     values (${id}, '2026-11-15', '${Object.fromEntries(writers)[role] ?? 'x'}', 'y')`
  for (const role of databaseRoles.filter((name) => name !== 'migrator'))
    test(`broadside_${role}`, async () => {
      const client = await clientOf(role)
      try {
        for (const sql of [...statements, chosenId(role, '0'), chosenId(role, '1000')]) {
          await client.query('begin')
          const code = await client.query(sql).then(
            () => 'allowed',
            (error: pg.DatabaseError) => error.code,
          )
          await client.query('rollback')
          assert.equal(code, '42501', sql)
        }
      } finally {
        await client.end()
      }
    })
})

/** Makes a change to the log that only its owner can make, and reverts it after the check. */
async function withTampering<Seen>(statements: string, look: () => Promise<Seen>): Promise<Seen> {
  const tables = ['audit_log', 'audit_chain', 'audit_head']
  const asTriggerOff = (sql: string) =>
    owner.query(
      `alter table audit_log disable trigger chain_audit_row; ${sql};
       alter table audit_log enable trigger chain_audit_row`,
    )
  await owner.query(tables.map((table) => `create table kept_${table} as table ${table}`).join(';'))
  try {
    await asTriggerOff(statements)
    return await look()
  } finally {
    const back = tables.map(
      (table) => `truncate ${table}; insert into ${table} overriding system value table kept_${table};
        drop table kept_${table}`,
    )
    await asTriggerOff(back.join(';'))
  }
}

suite('changes by the schema owner are detected, wherever they are made', () => {
  for (const [what, { sql, named }] of Object.entries(tamperings))
    test(what, () => {
      const position = fc.integer({ min: 1, max: last })
      const places = fc.tuple(position, position).filter(([one, other]) => one !== other)
      const isNamed = fc.asyncProperty(places, async ([one, other]) => {
        const { ok, faults } = await withTampering(sql(one, other), () => verify())
        assert.equal(ok, false)
        assert.deepEqual(namesOf(faults), named(one, other))
      })
      const examples: [[number, number]][] = [[[1, last]], [[last, last - 1]]]
      return fc.assert(isNamed, { numRuns: 5, examples })
    })

  test('every column of the log is in the chain', async () => {
    const { rows } = await owner.query<{ name: string }>(
      "select column_name as name from information_schema.columns where table_name = 'audit_log' order by ordinal_position",
    )
    assert.deepEqual(
      rows.map(({ name }) => name),
      Object.keys(changes),
    )
    assert.deepEqual((await verify()).faults, [])
  })

  test('a row chained twice, and a missing head', async () => {
    const chainTwice = `alter table audit_chain drop constraint audit_chain_audit_id_key;
      update audit_chain set audit_id = (select audit_id from audit_chain where position = 1) where position = 2;
      delete from audit_head`
    const { faults } = await withTampering(chainTwice, () => verify())
    await owner.query('alter table audit_chain add constraint audit_chain_audit_id_key unique (audit_id)')
    const found = new Set(faults.map(({ fault }) => fault))
    assert.deepEqual([...found].sort(), ['changed', 'head', 'repeated', 'unchained'])
  })

  test('a function that omits something from the hash', async () => {
    const { rows } = await owner.query<{ source: string }>(
      "select pg_get_functiondef('audit_row_bytes'::regproc) as source",
    )
    const source = String(rows[0]?.source)
    const write = async () => {
      await owner.query(source.replace('entry.details::text', 'null'))
      await owner.query('alter table audit_log enable trigger chain_audit_row')
      await owner.query(insert, valuesOf('operator:root', 1))
      return verify()
    }
    const { faults } = await withTampering('select', write)
    await owner.query(source)
    assert.deepEqual(namesOf(faults), [['changed', last + 1]])
  })
})

/** As the database owner could: removes the tail, its chain and the head, so that the rest is consistent. */
const cutUnseen = `delete from audit_log ${rowsFrom(31)}; delete from audit_chain where position > 30;
  update audit_head set (position, hash) = (select position, hash from audit_chain where position = 30)`

test('`npm run broadside -- audit verify` verifies the hash chain over the audit log', async () => {
  const clean = await run()
  assert.equal(clean.code, 0, clean.stderr)
  const head = String(clean.json?.['head'])
  assert.match(head, /^36:[0-9a-f]{64}$/)
  assert.deepEqual(clean.json, { entries: last, head, ok: true })
  const kept = { position: last, hash: head.slice(3) }
  assert.equal((await verify(kept)).ok, true)

  await withTampering(cutUnseen, async () => {
    assert.equal((await verify()).ok, true, 'nothing in the database tells')
    const cut = await run('--expect', head.toUpperCase())
    assert.equal(cut.code, 1)
    assert.equal(cut.json?.['ok'], false)
    assert.deepEqual(namesOf(cut.json?.['faults'] as ChainFault[]), [['expected', last]])
    assert.match(cut.stderr, /Position 36 has no entry[\s\S]*docs\/runbooks\/audit\.md/)
    assert.doesNotMatch(cut.stderr, /^ {4}at /m)
  })
  assert.deepEqual(namesOf((await verify({ position: 7, hash: kept.hash })).faults), [['expected', 7]])
  const wrong = await run('--expect', '36')
  assert.equal(wrong.code, 1)
  assert.match(wrong.stderr, /--expect must be a head as printed by `audit verify`/)
})
