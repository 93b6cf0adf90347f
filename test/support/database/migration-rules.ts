import type { Migration } from '../../../src/platform/database/migration-files.ts'
import { splitStatements } from '../../../src/platform/database/split-statements.ts'

/** The rules hold from the first migration after this one. */
const lastUnruled = 40

/** What would stop the running program, or block its queries, and what to write instead. */
export function migrationFaults(migration: Migration): string[] {
  if (migration.version <= lastUnruled) return []
  const statements = splitStatements(migration.sql).map((text) => text.replaceAll(/\s+/g, ' ').toLowerCase())
  const found = [
    ...headerFaults(migration),
    ...statements.flatMap((statement) => statementFaults(statement, migration, newTables(statements))),
  ]
  return found.map((fault) => `${String(migration.version).padStart(4, '0')}_${migration.name}: ${fault}`)
}

function headerFaults({ sql, worksWith, version }: Migration) {
  if (!/^(?:-- \w+: .*\n)*-- works with: /.test(sql))
    return [
      'Its first lines must name the oldest program that works with it: -- works with: NNNN (a migration number).',
    ]
  if (worksWith > version) return ['It cannot need a program newer than itself. Lower the number after "works with".']
  return []
}

const newTables = (statements: readonly string[]) =>
  statements.flatMap((text) => /^create (?:unlogged )?table (?:if not exists )?([\w.]+)/.exec(text)?.[1] ?? [])

type Rule = { finds: RegExp; when?: (migration: Migration) => boolean; says: string }
/** An older program runs while the migration is applied, and must go on working. */
const servesOlder = ({ phase, worksWith, version }: Migration) => phase === 'before' && worksWith < version
const isTransaction = (migration: Migration) => migration.isTransaction

/** `finds` captures the table, which is not checked if the migration itself creates it. */
const rules: readonly Rule[] = [
  {
    finds: /^create (?:unique )?index (?!concurrently\b)(?:\S+ )?on (?:only )?([\w.]+)/,
    says: 'An index build blocks all writers. Write "create index concurrently" in a migration with "-- transaction: none".',
  },
  {
    finds: /^(?:create (?:unique )?|drop )index concurrently/,
    when: isTransaction,
    says: '"concurrently" does not work in a transaction. Add "-- transaction: none" to the first lines.',
  },
  {
    finds: /^create (?:unique )?index concurrently if not exists/,
    says: '"if not exists" keeps the rest of an interrupted build. Leave it out: the migrator drops an invalid index itself.',
  },
  {
    finds: /^drop index (?!concurrently\b)/,
    says: 'Dropping an index blocks all queries of its table. Write "drop index concurrently if exists" with "-- transaction: none".',
  },
  {
    finds:
      /^alter table (?:only )?([\w.]+).*\badd (?:column )?(?!constraint\b)(?:if not exists )?[\w"]+ (?!.*\bdefault\b).*\bnot null\b/,
    says: 'The older program inserts rows without this column. Give it a default, or allow null and validate a check constraint later.',
  },
  {
    finds: /^alter table (?:only )?([\w.]+).*\badd constraint (?!.*\bnot valid\b)(?!.*\busing index\b)/,
    says: 'A new constraint reads the whole table under a lock. Add it "not valid", and validate it in a migration with "-- transaction: none".',
  },
  {
    finds: /^alter table (?:only )?([\w.]+).*\bvalidate constraint\b/,
    when: isTransaction,
    says: 'Validating keeps the locks of the transaction for as long as it reads the table. Move it to a migration with "-- transaction: none".',
  },
  {
    finds: /^alter table (?:only )?([\w.]+).*\balter (?:column )?[\w"]+ set not null/,
    when: isTransaction,
    says: 'It reads the whole table under a lock. Validate a check constraint "is not null" first, then set it with "-- transaction: none".',
  },
  {
    finds: /^alter table (?:only )?([\w.]+).*\balter (?:column )?[\w"]+ (?:set data )?type\b/,
    says: 'It can rewrite the table under a lock, and the older program reads the old type. Add a second column, fill it, and drop the first after the deploy.',
  },
  {
    finds: /^alter table (?:if exists )?(?:only )?([\w.]+) rename\b/,
    says: 'The older program uses the old name. Add the new one, keep both filled, and drop the old one with "-- phase: after".',
  },
  {
    finds:
      /^alter table (?:if exists )?(?:only )?([\w.]+).*\bdrop (?:column )?(?!constraint\b|not null\b|default\b|expression\b|identity\b)[\w"]+/,
    when: servesOlder,
    says: 'The older program may use this column. Drop it in a migration with "-- phase: after".',
  },
  {
    finds: /^drop (?:table|view|function|type|domain|materialized view|sequence)\b/,
    when: servesOlder,
    says: 'The older program may use it. Drop it in a migration with "-- phase: after".',
  },
  {
    finds: /^revoke\b(?!.* from public)/,
    when: servesOlder,
    says: 'The older program may need this privilege. Revoke it in a migration with "-- phase: after".',
  },
  {
    finds: /^(?:update|delete from) /,
    when: isTransaction,
    says: 'It locks every row until the commit. Let a job do it in batches, or add "-- transaction: none" if it is a few rows.',
  },
  { finds: /^(?:lock|vacuum full|cluster|reindex (?!.*concurrently))/, says: 'It blocks the table. Leave it out.' },
]

/** Without a transaction, a killed migration starts again from its first statement. */
const repeatable =
  /^(?:(?:create (?:unique )?|drop )index concurrently|alter table .* (?:add constraint .* not valid|validate constraint|set not null|drop constraint if exists|add column if not exists)|analyze|update|delete from|set)\b/

function statementFaults(statement: string, migration: Migration, own: readonly string[]): string[] {
  const faults = rules
    .filter(({ when }) => when?.(migration) ?? true)
    .filter(({ finds }) => {
      const match = finds.exec(statement)
      return match !== null && !own.includes(match[1] ?? '')
    })
    .map(({ says }) => says)
  if (!migration.isTransaction && !repeatable.test(statement) && faults.length === 0)
    faults.push(
      `"${statement.slice(0, 40)}…" cannot be repeated after an interruption. Move it to a migration with a transaction, or write "if exists" or "if not exists".`,
    )
  return faults
}
