import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMigration, readMigrations } from '../../src/platform/database/migration-files.ts'
import { migrationFaults } from '../support/database/migration-rules.ts'

test('the oldest program that a migration names can run during and after it, and no migration blocks it', async () => {
  const faults = (await readMigrations()).flatMap(migrationFaults)
  assert.deepEqual(faults, [])
})

const head = `-- works with: 0040\n`
const alone = `${head}-- transaction: none\n`
const later = `${head}-- phase: after\n`
const faultsOf = (sql: string) => migrationFaults(parseMigration('0041_try.sql', sql))

for (const [sql, says] of [
  ['select 1', /first lines must name the oldest program/],
  ['-- works with: 0042\nselect 1', /newer than itself/],
  [`${head}create index a on posts (id)`, /create index concurrently/],
  [`${head}create unique index on posts (id)`, /create index concurrently/],
  [`${head}create index concurrently a on posts (id)`, /does not work in a transaction/],
  [`${alone}create index concurrently if not exists a on posts (id)`, /interrupted build/],
  [`${head}drop index a`, /drop index concurrently/],
  [`${head}alter table posts add column a integer not null`, /Give it a default/],
  [`${head}alter table posts add a integer,\n  add b integer not null`, /Give it a default/],
  [`${head}alter table posts add constraint a check (b > 0)`, /not valid/],
  [`${head}alter table posts validate constraint a`, /transaction: none/],
  [`${head}alter table posts alter column a set not null`, /is not null/],
  [`${head}alter table posts alter a type bigint`, /second column/],
  [`${later}alter table posts rename column a to b`, /uses the old name/],
  [`${head}alter table posts rename to notes`, /uses the old name/],
  [`${head}alter table posts drop column a`, /phase: after/],
  [`${head}drop table posts`, /phase: after/],
  [`${head}revoke select on posts from broadside_api`, /phase: after/],
  [`${head}update posts set a = 1`, /in batches/],
  [`${alone}create table a (b integer)`, /cannot be repeated/],
] as const)
  test(`refused: ${sql.replaceAll(/--.*\n/g, '').replaceAll('\n', ' ')} (${says.source})`, () => {
    const faults = faultsOf(sql)
    assert.equal(faults.length, 1, faults.join('\n'))
    assert.match(String(faults[0]), says)
    assert.match(String(faults[0]), /^0041_try: /)
  })

test('what does not disturb the running release is accepted', () => {
  for (const sql of [
    `${head}create table a (b integer not null);\ncreate index on a (b);\nalter table a add constraint c check (b > 0);`,
    `${head}alter table posts add column a integer not null default 0, add b text;`,
    `${head}alter table posts add constraint a check (b is not null) not valid`,
    `${head}alter table posts alter column a drop not null`,
    `${head}revoke execute on function f from public`,
    `${head}create function f() returns trigger language plpgsql as $$ begin update posts set a = 1; end $$`,
    `${alone}create index concurrently a on posts (b);\nalter table posts validate constraint c;`,
    `${later}alter table posts drop column a;\ndrop table b;`,
    '-- phase: after\n-- works with: 0041\nalter table posts drop column a',
    '-- works with: 0041\nalter table posts drop column a;\ndrop table b;',
  ])
    assert.deepEqual(faultsOf(sql), [], sql)
})
