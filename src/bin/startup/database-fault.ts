import { isDatabaseUnavailable } from '../../platform/database/database.ts'
import { SchemaError } from '../../platform/database/migrations.ts'

type Remedies = { start: string; prepare: string; migrate: string }

/** In production, the operator starts each part. In a checkout, one command starts and prepares everything. */
const remediesIn = (environment: string | undefined): Remedies =>
  environment === 'development' || environment === 'test'
    ? { start: 'Run `npm run up`', prepare: 'Run `npm run up`', migrate: 'Run `npm run broadside -- migrate`' }
    : {
        start: 'Run `systemctl start postgresql`, and check the database URL',
        prepare: 'Run `broadside database prepare`, then `broadside migrate`',
        migrate: 'Run `broadside migrate`',
      }

export type DatabaseFault = {
  cause: 'server' | 'access' | 'role' | 'database' | 'privilege' | 'schema'
  message: string
}

/**
 * What an operator must do before the database can be used, as one sentence with the cause and one with the command.
 * Undefined if the error is something else, which only a change of the program or its files can fix.
 */
export function databaseFault(error: unknown, environment: string | undefined): DatabaseFault | undefined {
  const remedies = remediesIn(environment)
  if (error instanceof SchemaError) return error.canBeMigrated ? { cause: 'schema', message: error.message } : undefined
  const { code, message, syscall } = error as { code?: string; message: string; syscall?: string }
  if (code === '3D000')
    return { cause: 'database', message: `The database is missing: ${message}. ${remedies.prepare}.` }
  if (code === '28P01' || (code === '28000' && /role .* does not exist/.test(message)))
    return {
      cause: 'role',
      message: `The database role is missing or has another password: ${message}. ${remedies.prepare}.`,
    }
  if (code === '28000')
    return {
      cause: 'access',
      message: `PostgreSQL refuses the connection: ${message}. Add the address to pg_hba.conf.`,
    }
  if (code === '42501')
    return { cause: 'privilege', message: `The database role lacks a privilege: ${message}. ${remedies.prepare}.` }
  // A socket that does not exist.
  if ((code === 'ENOENT' && syscall === 'connect') || isDatabaseUnavailable(error))
    return { cause: 'server', message: `PostgreSQL cannot be reached (${code ?? message}). ${remedies.start}.` }
  return undefined
}
