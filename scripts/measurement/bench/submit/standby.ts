import pg from 'pg'
import { startApi } from '../../../../tooling/environment/processes.ts'
import { median } from '../../../../tooling/median.ts'
import { decimal, readOptions, wholeNumber } from '../../../../tooling/script-options.ts'
import { migratedDatabase, type OwnDatabase } from '../../../../tooling/services/databases.ts'
import { startReplicatedPostgres } from '../../../../tooling/services/replicated-postgres.ts'
import { openCustomers } from './customers.ts'
import { runLoad } from './submit.ts'

const clients = 16
const delaysMs = [0, 1, 10]

/**
 * Measures submissions a second over HTTP with a synchronous standby, with each delay in either direction: with
 * wake-ups sent after the commit, as the code sends them; without any; and sent inside the transaction, as a trigger
 * does here. The three alternate. Submissions that a busy API rejects are counted separately.
 */
export async function benchStandby(args: string[]): Promise<void> {
  const { seconds, rounds } = readOptions(args, { seconds: decimal(8), rounds: wholeNumber(3) })
  await using cluster = await startReplicatedPostgres()
  process.env['DATABASE_URL'] = cluster.adminUrl
  await using database = await migratedDatabase('bench')
  const { apiKeys } = await openCustomers(database, 1_000)
  await using wakeUps = await controlWakeUps(database)
  await using first = await startApi(database, { LOG_LEVEL: 'silent' })
  await using second = await startApi(database, { LOG_LEVEL: 'silent', SITES: String(first.settings.SITES) })
  const load = { ports: [first.port, second.port], host: new URL(first.baseUrl).host, apiKeys, clients }
  await runLoad({ ...load, seconds })
  for (const delay of delaysMs) {
    cluster.setDelay(delay)
    const commitMs = await wakeUps.timeCommit()
    const results: Record<Way, number>[] = []
    const rejected: Record<Way, number> = { never: 0, 'after-commit': 0, inside: 0 }
    for (let round = 0; round < rounds; round++) {
      const result = {} as Record<Way, number>
      for (const way of ways) {
        await wakeUps.send(way)
        const { perSecond, refused } = await runLoad({ ...load, seconds })
        result[way] = perSecond
        rejected[way] += refused
      }
      results.push(result)
    }
    const perSecond = (way: Way) => median(results.map((result) => result[way]))
    const ratio = (way: Way) => Math.round(median(results.map((result) => result[way] / result.never)) * 100) / 100
    console.log(
      JSON.stringify({
        ...{ bench: 'standby', delay_ms: delay, commit_ms: commitMs },
        ...{ never: perSecond('never'), after_commit: perSecond('after-commit'), inside: perSecond('inside') },
        ...{ after_commit_to_never: ratio('after-commit'), inside_to_never: ratio('inside') },
        rejected,
      }),
    )
  }
}

const ways = ['never', 'after-commit', 'inside'] as const
type Way = (typeof ways)[number]

/** Puts a function in front of the `pg_notify` that the API calls, and a trigger that notifies at each new job. */
async function controlWakeUps({ adminUrl }: OwnDatabase) {
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  const run = (text: string) => admin.query(text)
  const name = new URL(adminUrl).pathname.slice(1)
  await run('create schema bench')
  await run('grant usage on schema bench to public')
  await run('create table bench.commits (n integer)')
  await run(`alter role broadside_api in database ${name} set search_path = bench, public, pg_catalog`)
  const setFunction = (body: string) =>
    run(`create or replace function bench.pg_notify(text, text) returns void language sql as '${body}'`)
  await run(`create function bench.notify_inside() returns trigger language plpgsql as
    $$ begin perform pg_catalog.pg_notify('bench', 'job'); return null; end $$`)
  await run('create trigger notify_inside after insert on pgboss.job_common execute function bench.notify_inside()')
  await run('listen bench')
  return {
    send: async (way: Way) => {
      await setFunction(way === 'after-commit' ? 'select pg_catalog.pg_notify($1, $2)' : 'select')
      await run(`alter table pgboss.job_common ${way === 'inside' ? 'enable' : 'disable'} trigger notify_inside`)
    },
    timeCommit: async () => {
      const times: number[] = []
      for (let n = 0; n < 11; n++) {
        const startedAt = performance.now()
        await run('insert into bench.commits values (1)')
        times.push(performance.now() - startedAt)
      }
      return Math.round(median(times) * 10) / 10
    },
    [Symbol.asyncDispose]: () => admin.end(),
  }
}
