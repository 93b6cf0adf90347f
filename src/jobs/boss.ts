import type { ConstructorOptions, PgBoss } from 'pg-boss'

/**
 * A pg-boss that creates and changes nothing of its schema, and starts only on the version that it knows. It is loaded
 * here and not at the top: that takes 50 ms, which processes and commands without a queue need not wait for.
 */
export async function makeBoss(options: ConstructorOptions): Promise<PgBoss> {
  const { PgBoss } = await import('pg-boss')
  return new PgBoss({ ...options, migrate: false, createSchema: false })
}
