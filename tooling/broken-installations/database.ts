import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import {
  asAdministrator,
  createDatabase,
  createRoles,
  databaseRoles,
  urlFor,
} from '../../src/platform/database/database-setup.ts'
import { emptyDatabase } from '../services/databases.ts'
import { quietPort } from '../services/state.ts'
import type { BrokenSetup, Installation } from './installation.ts'

const settingOf = (role: string) => `${role.toUpperCase()}_DATABASE_URL`

/** The same settings with other URLs for all roles. */
const withUrls = ({ environment }: Installation, change: (url: string) => string): NodeJS.ProcessEnv => ({
  ...environment,
  ...Object.fromEntries(databaseRoles.map((role) => [settingOf(role), change(String(environment[settingOf(role)]))])),
})

function movedTo(url: string, change: (address: URL) => void): string {
  const address = new URL(url)
  change(address)
  return address.href
}

const sqlIn = ({ database }: Installation, ...statements: string[]) =>
  asAdministrator(database.adminUrl, async (admin) => {
    for (const statement of statements) await admin.query(statement)
  })

export const databaseSetups: readonly BrokenSetup[] = [
  {
    name: 'PostgreSQL is stopped',
    only: 'database,roles,schema,clock',
    breaks: async (installation) => {
      const port = String(await quietPort())
      return withUrls(installation, (url) => movedTo(url, (address) => Object.assign(address, { port })))
    },
    cause: /Nothing listens on 127\.0\.0\.1:\d+: PostgreSQL does not run/,
    fix: /fix: systemctl start postgresql/,
  },
  {
    name: 'the database server does not answer',
    only: 'database',
    breaks: async (installation, stack) => {
      const server = createServer().listen(0, '127.0.0.1')
      await once(server, 'listening')
      stack.defer(() => void server.close())
      const port = String((server.address() as AddressInfo).port)
      return withUrls(installation, (url) => movedTo(url, (address) => Object.assign(address, { port })))
    },
    cause: /does not answer in time: the server hangs, or a firewall drops the packets/,
    fix: /fix: pg_isready -h 127\.0\.0\.1/,
    timeoutSeconds: 1,
  },
  {
    name: 'the database does not exist',
    only: 'database',
    breaks: async (installation) =>
      withUrls(installation, (url) =>
        movedTo(url, (address) => Object.assign(address, { pathname: '/broadside_nowhere' })),
      ),
    cause: /The database of \S+broadside_nowhere does not exist|No role can log in/,
    fix: /fix: broadside database prepare/,
  },
  {
    name: 'the URLs lead to a standby',
    only: 'database',
    breaks: async (installation) => {
      const { url } = await installation.standby()
      return withUrls(installation, () => url)
    },
    cause: /is a standby in recovery, and accepts no writes/,
    fix: /Point the database URLs to the primary/,
  },
  {
    name: 'the roles are missing, and one has too many rights',
    only: 'roles',
    breaks: async (installation) => {
      const server = await installation.standby()
      await server.promote()
      const passwords = Object.fromEntries(databaseRoles.map((role) => [role, 'doctor'])) as Record<
        (typeof databaseRoles)[number],
        string
      >
      await asAdministrator(server.url, async (admin) => {
        await createRoles(admin, passwords, 'keep')
        await createDatabase(server.url, 'broadside')
        await admin.query('alter role broadside_worker createrole')
        await admin.query('grant broadside_migrator to broadside_api')
        await admin.query('alter role broadside_operator nologin')
        await admin.query('revoke connect on database broadside from broadside_desk')
        await admin.query('drop owned by broadside_reader; drop role broadside_reader')
      })
      return {
        ...installation.environment,
        ...Object.fromEntries(
          databaseRoles.map((name) => [settingOf(name), urlFor(server.url, 'broadside', { name, password: 'doctor' })]),
        ),
      }
    },
    cause: /broadside_reader does not exist[\s\S]*broadside_worker has the attribute createrole/,
    fix: /fix: broadside database prepare[\s\S]*alter role broadside_worker nocreaterole/,
  },
  {
    name: 'the server is read-only',
    only: 'database',
    breaks: async (installation, stack) => {
      const name = new URL(installation.database.adminUrl).pathname.slice(1)
      await sqlIn(installation, `alter database ${name} set default_transaction_read_only = on`)
      stack.defer(() =>
        asAdministrator(installation.database.adminUrl, async (admin) => {
          await admin.query('set default_transaction_read_only = off')
          await admin.query(`alter database ${name} reset default_transaction_read_only`)
        }),
      )
      return installation.environment
    },
    cause: /accepts no writes: default_transaction_read_only is on/,
    fix: /alter database \w+ reset default_transaction_read_only/,
  },
  {
    name: 'a password was changed in one place only',
    only: 'roles',
    breaks: async ({ environment }) => ({
      ...environment,
      WORKER_DATABASE_URL: movedTo(String(environment['WORKER_DATABASE_URL']), (address) => {
        address.password = 'an-old-password-of-the-worker'
      }),
    }),
    cause: /The password of broadside_worker in WORKER_DATABASE_URL is wrong/,
    fix: /fix: broadside database prepare/,
  },
  {
    name: 'somebody granted one privilege and revoked another',
    only: 'roles',
    breaks: async (installation, stack) => {
      await sqlIn(
        installation,
        'grant update on public.balances to broadside_api',
        'revoke select on public.schema_migrations from broadside_desk',
      )
      stack.defer(() =>
        sqlIn(
          installation,
          'revoke update on public.balances from broadside_api',
          'grant select on public.schema_migrations to broadside_desk',
        ),
      )
      return installation.environment
    },
    cause:
      /broadside_api has UPDATE on table public\.balances, which the schema does not give[\s\S]*broadside_desk lacks SELECT/,
    fix: /revoke update on table public\.balances from broadside_api[\s\S]*grant select on table public\.schema_migrations to broadside_desk/,
  },
  {
    name: 'the migrations were not run',
    only: 'schema',
    breaks: async ({ environment }, stack) => {
      const { urls } = stack.use(await emptyDatabase('doctor_empty'))
      return { ...environment, ...Object.fromEntries(databaseRoles.map((role) => [settingOf(role), urls[role]])) }
    },
    cause: /The database has no schema: no migration is applied/,
    fix: /fix: broadside migrate/,
  },
  {
    name: 'the schema is newer than the program',
    only: 'schema',
    breaks: async (installation, stack) => {
      const columns = "select 9000, 'from_the_future', checksum, applied_at from schema_migrations where version = 1"
      await sqlIn(installation, `insert into schema_migrations (version, name, checksum, applied_at) ${columns}`)
      stack.defer(() => sqlIn(installation, 'delete from schema_migrations where version = 9000'))
      return installation.environment
    },
    cause: /The schema has migration 9000 \(from_the_future\), which is newer than this program/,
    fix: /Install the version of the program that applied it/,
  },
  {
    name: 'an index was left half built',
    only: 'schema',
    breaks: async (installation, stack) => {
      await sqlIn(installation, 'create table public.twice (a int)', 'insert into public.twice values (1), (1)')
      stack.defer(() => sqlIn(installation, 'drop table public.twice'))
      // Fails because of the two rows, and leaves the index behind.
      await sqlIn(installation, 'create unique index concurrently twice_a on public.twice (a)').catch(() => {})
      return installation.environment
    },
    cause: /The index public\.twice_a is invalid: its creation was interrupted/,
    fix: /reindex index concurrently public\.twice_a/,
  },
]
