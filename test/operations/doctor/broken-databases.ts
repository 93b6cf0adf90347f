import {
  asAdministrator,
  createDatabase,
  createRoles,
  type DatabaseRole,
  databaseRoles,
  type RolePasswords,
  urlFor,
} from '../../../src/platform/database/database-setup.ts'
import { emptyDatabase } from '../../../tooling/services/databases.ts'
import { startStandby } from '../../../tooling/services/standby.ts'
import { quietPort } from '../../../tooling/services/state.ts'
import { read } from '../../support/repository.ts'
import { type Broken, type Installation, silent } from './installation.ts'

const settingOf = (role: DatabaseRole) => `${role.toUpperCase()}_DATABASE_URL`

/** Other URLs for all roles. */
const withUrls = ({ environment }: Installation, change: Partial<URL>) =>
  Object.fromEntries(
    databaseRoles.map((role) => {
      const url = new URL(String(environment[settingOf(role)]))
      return [settingOf(role), Object.assign(url, change).href]
    }),
  )

/** Breaks the database until the stack ends. */
const withSql = (broken: string, repaired: string) => async (it: Installation, stack: AsyncDisposableStack) => {
  stack.defer(() => it.sql('set default_transaction_read_only = off', repaired))
  await it.sql(broken)
  return {}
}

/** The statements of schema.sql that give a role its privileges on a table. */
const grantsOf = (table: string, role: string) =>
  read('schema.sql')
    .split('\n')
    .filter((line) => line.startsWith('GRANT') && line.endsWith(`ON TABLE public.${table} TO broadside_${role};`))
    .join('\n')

export const brokenDatabases: readonly Broken[] = [
  {
    what: 'PostgreSQL is stopped',
    probe: 'database',
    says: /Nothing listens: PostgreSQL does not run[\s\S]*systemctl start postgresql/,
    breaks: async (it) => withUrls(it, { port: String(await quietPort()) }),
  },
  {
    what: 'PostgreSQL does not answer',
    probe: 'database',
    says: /asked twice and does not answer: it hangs, or a firewall/,
    breaks: async (it, stack) => withUrls(it, { port: await silent(stack) }),
  },
  {
    what: 'the URLs lead to a standby',
    probe: 'database',
    says: /is a standby in recovery, and accepts no writes/,
    breaks: async (_, stack) => {
      const { url } = stack.use(await startStandby())
      return Object.fromEntries(databaseRoles.map((role) => [settingOf(role), url]))
    },
  },
  {
    what: 'the server is read-only',
    probe: 'database',
    says: /accepts no writes: default_transaction_read_only is on[\s\S]*alter database \w+ reset/,
    breaks: async (it, stack) => {
      const name = new URL(String(it.environment['WORKER_DATABASE_URL'])).pathname.slice(1)
      const setting = `${name} set default_transaction_read_only`
      return withSql(`alter database ${setting} = on`, `alter database ${setting} = off`)(it, stack)
    },
  },
  {
    what: 'a role is missing, and others have too many rights or too few',
    probe: 'roles',
    says: /desk may not connect.*operator is not permitted to log in.*reader does not exist.*(?:api is a member of broadside_migrator.*worker must not have the attribute createrole|worker must not have the attribute createrole.*api is a member of)/s,
    breaks: async (_, stack) => {
      const server = stack.use(await startStandby())
      await server.promote()
      const passwords = Object.fromEntries(databaseRoles.map((role) => [role, 'doctor'])) as RolePasswords
      await asAdministrator(server.url, async (admin) => {
        await createRoles(admin, passwords, 'keep')
        await createDatabase(server.url, 'broadside')
        await admin.query('alter role broadside_worker createrole; grant broadside_migrator to broadside_api')
        await admin.query('alter role broadside_operator nologin')
        await admin.query('revoke connect on database broadside from broadside_desk')
        await admin.query('drop owned by broadside_reader; drop role broadside_reader')
      })
      const url = (name: DatabaseRole) => urlFor(server.url, 'broadside', { name, password: 'doctor' })
      return Object.fromEntries(databaseRoles.map((role) => [settingOf(role), url(role)]))
    },
  },
  {
    what: 'the password of the worker was changed in one place only',
    probe: 'roles',
    says: /The password of broadside_worker in WORKER_DATABASE_URL is wrong\.\n.*broadside database prepare/,
    breaks: ({ environment }) => {
      const url = Object.assign(new URL(String(environment['WORKER_DATABASE_URL'])), { password: 'an-old-password' })
      return { WORKER_DATABASE_URL: url.href }
    },
  },
  {
    what: 'somebody granted one privilege and revoked others',
    probe: 'grants',
    says: /api must not have update on table public\.balances.*worker lacks update \(.*\) on table public\.posts.*desk lacks select.*fix: \S.*-c 'revoke update on table public\.balances from broadside_api' -c 'grant.*-c 'grant select on table public\.schema_migrations/s,
    breaks: withSql(
      'grant update on balances to broadside_api; revoke select on schema_migrations from broadside_desk; revoke update on posts from broadside_worker',
      `revoke update on balances from broadside_api; ${grantsOf('posts', 'worker')} ${grantsOf('schema_migrations', 'desk')}`,
    ),
  },
  {
    what: 'the migrations were not run',
    probe: 'schema',
    says: /The database has no schema: no migration is applied\.\n.*broadside migrate/,
    breaks: async (_, stack) => {
      const { urls } = stack.use(await emptyDatabase('doctor_empty'))
      return Object.fromEntries(databaseRoles.map((role) => [settingOf(role), urls[role]]))
    },
  },
  {
    what: 'the schema is newer than the program, and an index is half built',
    probe: 'schema',
    says: /newer than this program: it has 9000_from_the_future.*The index public\.twice_a is invalid.*reindex index concurrently public\.twice_a/s,
    breaks: async (it, stack) => {
      stack.defer(() => it.sql('drop table twice', 'delete from schema_migrations where version = 9000'))
      await it.sql(
        "insert into schema_migrations select 9000, 'from_the_future', checksum, applied_at from schema_migrations where version = 1",
        'create table twice (a int)',
        'insert into twice values (1), (1)',
      )
      // Fails because of the two rows, and leaves the index behind.
      await it.sql('create unique index concurrently twice_a on twice (a)').catch(() => {})
      return {}
    },
  },
  {
    what: 'the transparency log has stopped',
    probe: 'log',
    says: /The transparency log has stopped: forked\.\n.*transparency-log\.md/,
    breaks: withSql(
      "insert into log_head (origin, verifier_key, root, stopped_reason, stopped_at) values ('doctor', 'key', sha256(''), 'forked', now())",
      "delete from log_head where origin = 'doctor'",
    ),
  },
]
