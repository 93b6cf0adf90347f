import { kinds } from '../../../../src/kinds/index.ts'
import { countDays } from '../../../../src/moderation/statistics/count-days.ts'
import { systemClock } from '../../../../src/platform/clock.ts'
import { connect } from '../../../../src/platform/database/database.ts'
import { openStaff } from '../../../../tooling/clients/staff.ts'
import { seedCases } from '../../../../tooling/fixtures/desk-cases.ts'
import type { OwnDatabase } from '../../../../tooling/services/databases.ts'
import { casePlaceOf, mixOf } from '../../../fault-injection/chaos/desk/desk.ts'
import { openEnvironment } from '../../../fault-injection/chaos/environment.ts'
import { seededDatabase } from '../../../generation/seed/seeded-database.ts'
import { postsOfAccount } from '../pages/pages.ts'
import { giveSeededKeys, keyCount } from '../search/environment.ts'
import { openSearchSides } from '../search/search.ts'

/** The seeded database of a size. It stays when the bench ends. */
export type SizedDatabase = OwnDatabase & { posts: number }

export async function openSizedDatabase(posts: number, { keep }: { keep: boolean }): Promise<SizedDatabase> {
  const { adminUrl, urls } = await seededDatabase(posts, { keep })
  return { posts, adminUrl, urls, [Symbol.asyncDispose]: async () => {} }
}

const cases = 200

export type ScalePlace = Awaited<ReturnType<typeof openScalePlace>>

/** All processes of the service on the database of one size, with an author's keys, open cases and a signed-in member. */
export async function openScalePlace(stack: AsyncDisposableStack, database: SizedDatabase, publications: number) {
  await countAllDays(database)
  const environment = stack.use(await openEnvironment({ driver: 'always-on', workers: 1, database }))
  environment.logsIf(false)
  await environment.startDesk()
  const authors = await environment.createAccounts(Math.ceil(publications / postsOfAccount) + 1, 1_000_000_000)
  const owners = await environment.createAccounts(Math.ceil(cases / 8), 1_000_000_000)
  const desk = stack.use(casePlaceOf(environment, owners))
  await seedCases(desk.service, mixOf(cases))
  const member = await openStaff({ ...desk.service, clock: { ...systemClock, setOffset: () => {} } }, { role: 'lead' })
  const { baseUrl } = environment
  const customer = { apiKeys: await giveSeededKeys(database, keyCount) }
  const port = Number(new URL(baseUrl).port)
  // Opened when it is needed: the gateway closes a connection that is idle for long.
  const openSearches = () =>
    openSearchSides({ database: { ...database, seededAt: new Date() }, port, baseUrl, customer })
  await environment.startWorkers()
  return {
    posts: database.posts,
    environment,
    apiKeys: authors.map(({ apiKey }) => apiKey),
    member,
    openSearches,
    port,
    baseUrl,
  }
}

/** Counts the days of the seeded posts, as the nightly job does. One run counts at most a year. */
async function countAllDays({ urls }: SizedDatabase): Promise<void> {
  await using worker = connect(urls.worker, { poolMax: 1, applicationName: 'bench setup', statementTimeoutMs: 0 })
  const counting = { kinds: kinds.map(({ name }) => name), at: new Date() }
  for (let year = 0; year < seededYears + 1; year++) await countDays(worker.db, counting)
}

const seededYears = 2
