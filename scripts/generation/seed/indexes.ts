import type pg from 'pg'

export type Index = { table: string; name: string; definition: string; isInverted: boolean }

/** Indexes that do not enforce a constraint. Creating them after the data takes a fraction of the time. */
export async function readIndexes(pool: pg.Pool, tables: readonly string[]): Promise<Index[]> {
  const { rows } = await pool.query<Index>(
    `select tables.relname as table, made.relname as name, amname = 'gin' as "isInverted",
       pg_get_indexdef(indexrelid) as definition
     from pg_index join pg_class made on made.oid = indexrelid join pg_class tables on tables.oid = indrelid
       join pg_am on pg_am.oid = made.relam
     where tables.relname = any($1) and tables.relnamespace = 'public'::regnamespace and not indisunique
     order by "isInverted" desc, tables.relname, made.relname`,
    [tables],
  )
  return rows
}
