import pg from 'pg'

/** PostgreSQL's error when a role lacks a privilege. */
export const denied = '42501'

/** Runs one statement in a transaction that is rolled back, and returns the error code if it was refused. */
export async function tryStatement(url: string, sql: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('begin')
    await client.query(sql)
    return undefined
  } catch (error) {
    return (error as pg.DatabaseError).code
  } finally {
    await client.query('rollback')
    await client.end()
  }
}
