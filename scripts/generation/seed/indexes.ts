import type pg from 'pg'
import type { Task } from './tasks.ts'

export type Index = { table: string; name: string; definition: string; isInverted: boolean }

/** Indexes that do not enforce a constraint. Creating them after the data takes a fraction of the time. */
export async function readIndexes(pool: pg.Pool, tables: readonly string[]): Promise<Index[]> {
  const { rows } = await pool.query<Index>(
    `select tables.relname as table, made.relname as name, amname = 'gin' as "isInverted",
       replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') as definition
     from pg_index join pg_class made on made.oid = indexrelid join pg_class tables on tables.oid = indrelid
       join pg_am on pg_am.oid = made.relam
     where tables.relname = any($1) and tables.relnamespace = 'public'::regnamespace and not indisunique
     order by "isInverted" desc, tables.relname, made.relname`,
    [tables],
  )
  return rows
}

/** The tasks that create indexes. Of a partitioned table, those of its partitions come first, and it adopts them `later`. */
export async function indexTasks(pool: pg.Pool, indexes: readonly Index[]): Promise<{ first: Task[]; later: Task[] }> {
  const { rows } = await pool.query<{ table: string; partition: string }>(
    `select inhparent::regclass::text as table, inhrelid::regclass::text as partition from pg_inherits
     join pg_class on pg_class.oid = inhparent and relkind = 'p'`,
  )
  const first: Task[] = []
  const later: Task[] = []
  for (const { table, name, definition } of indexes) {
    const partitions = rows.filter((row) => row.table === table).map(({ partition }) => partition)
    for (const partition of partitions) {
      const own = definition.replace(
        /^CREATE INDEX \S+ ON \S+/,
        `CREATE INDEX ${name.replace(table, partition)} ON ${partition}`,
      )
      first.push({ name: `making ${name} of ${partition}`, statements: [own] })
    }
    const whole = { name: `making ${name}`, statements: [definition] }
    if (partitions.length > 0) later.push(whole)
    else first.push(whole)
  }
  return { first, later }
}
