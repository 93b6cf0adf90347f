import type { Service } from '../../../tooling/environment/service.ts'

type Column = { table: string; column: string }

/** The columns that hold an account's identifier, read from the schema. */
export const accountColumns = `
  select table_name as table, column_name as column
  from information_schema.columns join information_schema.tables using (table_schema, table_name)
  where table_schema = 'public' and table_type = 'BASE TABLE' and domain_name = 'account_id' and table_name <> 'accounts'
  order by 1, 2`

/** How many rows of each table name the account. */
export async function countAccountRows(service: Service, accountId: string): Promise<Record<string, number>> {
  const columns = await service.asOwner<Column>(accountColumns)
  const counts: Record<string, number> = {}
  for (const { table, column } of columns) {
    const rows = await service.asOwner(`select from ${table} where ${column} = $1`, [accountId])
    counts[table] = (counts[table] ?? 0) + rows.length
  }
  return counts
}
