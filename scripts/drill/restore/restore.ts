import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { kinds } from '../../../src/kinds/index.ts'
import { asAdministrator } from '../../../src/platform/database/database-setup.ts'
import { runOperator, settingsFor, type TestSettings } from '../../../tooling/environment/processes.ts'
import { type Service, startService } from '../../../tooling/environment/service.ts'
import type { OwnDatabase, RoleUrls } from '../../../tooling/services/databases.ts'
import { isRunning, waitFor } from '../../../tooling/services/state.ts'
import { seedDatabase } from '../../generation/seed/seed-database.ts'
import { type Acknowledged, actAfter, actBefore, nothingAcknowledged } from './acts.ts'
import { checkErased } from './check-erased.ts'
import { type BackedUpCluster, needPgBackRest, startCluster } from './cluster.ts'
import { type Comparison, comparePages } from './compare-pages.ts'

const run = promisify(execFile)

/**
 * Backs up a cluster, restores it to a chosen second beside the live one, verifies the copy and repeats later erasures:
 * with the files, scripts and commands of docs/runbooks/backup.md. The live service runs all the time.
 */
export async function restoreDrill({ posts }: { posts: number }) {
  needPgBackRest()
  await using stack = new AsyncDisposableStack()
  const folder = mkdtempSync(join(tmpdir(), 'broadside-drill-'))
  chmodSync(folder, 0o755)
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  const seconds: Record<string, number> = {}
  const step = stepper(seconds)
  mkdirSync(join(folder, 'cluster'))
  const cluster = await step('cluster, stanza and check', () => startCluster(join(folder, 'cluster'), stack))
  await step('seed', () => seedDatabase({ urls: cluster.urls, posts, now: new Date() }))
  const erasureLog = join(folder, 'erasures')
  const service = stack.use(
    await startService({ database: kept(cluster), judges: true, settings: { ERASURE_LOG: erasureLog } }),
  )
  const live = await settingsOf(kept(cluster), service, service.pagesDirectory, erasureLog)
  const operate = (...args: string[]) => broadside(live, ...args)
  await step('live pages', () => operate('rebuild'))
  await step('full backup', () => cluster.backUp('--type=full', 'backup'))
  const before = { service, operate, acknowledged: nothingAcknowledged() }
  const cast = await step('acts before', () => actBefore(before))
  await step('incremental backup', () => cluster.backUp('--type=incr', 'backup'))
  await actBefore(before)
  const chosen = await step('choose a second', () => chooseSecond(cluster, service, join(folder, 'then')))
  const after = { service, operate, acknowledged: nothingAcknowledged() }
  const lost = await step('acts after', () => actAfter(after, cast))
  await untilLogged(cluster.adminUrl)
  const livePid = cluster.pid()
  await cluster.archiveWal()

  const restored = await step('restore', () => cluster.restoreBeside(chosen.target))
  const restoredPages = join(folder, 'restored-pages')
  const own = await settingsOf(kept(restored), service, restoredPages, erasureLog)
  const place = { step, own, adminUrl: restored.adminUrl, pages: restoredPages, pagesThen: join(folder, 'then') }
  const verified = await verifyCopy(place, chosen)
  const repeated = await repeatErasures(place, chosen.target, after.acknowledged.erasures.length)
  const readable = await step('look for what was erased', () =>
    checkErased({ restored: kept(restored), pages: restoredPages, cast, lost }),
  )
  const isLiveSound = await isUntouched(cluster, livePid, service, lost)
  await service[Symbol.asyncDispose]()
  await step('switch and check', () => cluster.switchOver())
  await step('full backup after the switch', () => cluster.backUp('--type=full', 'backup'))
  await operate('ledger', 'verify')
  return {
    posts,
    restored_to: chosen.target.toISOString(),
    restored: chosen.counts,
    ...verified.figures,
    replayed: repeated.replayed,
    erased_readable: readable.found,
    lost: lostAfter(chosen.target, after.acknowledged),
    repository_mb: Math.round((await sizeOf(join(folder, 'cluster/repo'))) / 1_048_576),
    seconds,
    broken: [
      ...[...verified.broken, ...repeated.broken, ...readable.broken],
      ...(isLiveSound ? [] : ['the live service was disturbed']),
    ],
  }
}

/** The state of the live service at a whole second, and a copy of its pages. Tries again if either changed meanwhile. */
async function chooseSecond(cluster: BackedUpCluster, service: Service, copy: string) {
  for (let tries = 0; tries < 20; tries++) {
    await service.settle()
    rmSync(copy, { recursive: true, force: true })
    const then = await readState(cluster.adminUrl)
    await copyPages(service.pagesDirectory, copy)
    const target = new Date(Math.ceil((Date.now() + 1) / 1_000) * 1_000)
    await sleep(target.getTime() - Date.now() + 1_000)
    const now = await readState(cluster.adminUrl)
    if (now.text === then.text && now.pageVersion === then.pageVersion) return { ...then, target }
  }
  throw new Error('the live service did not become quiet')
}

type Chosen = Awaited<ReturnType<typeof chooseSecond>>
type Place = {
  step: ReturnType<typeof stepper>
  own: TestSettings
  adminUrl: string
  pages: string
  pagesThen: string
}

/** The rows, the ledger, the audit log and the pages must be those of the chosen second. */
async function verifyCopy({ step, own, adminUrl, pages, pagesThen }: Place, chosen: Chosen) {
  const broken: string[] = []
  if ((await readState(adminUrl)).text !== chosen.text)
    broken.push('the restored rows are not those of the chosen second')
  const ledger = await step('ledger verify', () => broadside(own, 'ledger', 'verify'))
  const audit = await step('audit verify', () => broadside(own, 'audit', 'verify', '--expect', chosen.auditHead))
  await step('pages', () => broadside(own, 'rebuild'))
  const compared = await step('compare pages', () => compareSites(pagesThen, pages))
  if (compared.different.length + compared.missing.length + compared.extra.length > 0)
    broken.push('the rebuilt pages differ from the live ones')
  return { figures: { ledger, audit, pages: { ...compared, ...shortLists(compared) } }, broken }
}

/** Each erasure after the chosen second must be repeated once, and not again by a second run. */
async function repeatErasures({ step, own }: Place, target: Date, acknowledged: number) {
  const broken: string[] = []
  const replay = async () => {
    const counts = await broadside(own, 'erasures', 'replay', '--since', target.toISOString())
    return { counts, done: countDone(counts) }
  }
  const first = await step('erasures replay', replay)
  if (first.done !== acknowledged) broken.push(`${first.done} of ${acknowledged} erasures were repeated`)
  await step('pages without what was erased', () => broadside(own, 'rebuild'))
  if ((await replay()).done !== 0) broken.push('a second replay changed something')
  await broadside(own, 'ledger', 'verify')
  await broadside(own, 'audit', 'verify')
  return { replayed: first.counts, broken }
}

/** The erasures of all kinds that were repeated, in what `erasures replay` prints. */
const countDone = (counts: object | undefined) =>
  Object.values(counts ?? {}).reduce<number>((sum, count) => sum + Number(Object(count).done ?? 0), 0)

type Sited = { adminUrl: string; urls: RoleUrls }
/** The drill stops the whole cluster, so no database is dropped. */
const kept = ({ adminUrl, urls }: Sited): OwnDatabase => ({ adminUrl, urls, [Symbol.asyncDispose]: async () => {} })

function stepper(seconds: Record<string, number>) {
  return async <Result>(name: string, work: () => Promise<Result>): Promise<Result> => {
    const startedAt = performance.now()
    process.stderr.write(`${name} …\n`)
    const result = await work()
    seconds[name] = Math.round((performance.now() - startedAt) / 100) / 10
    process.stderr.write(`${name}: ${seconds[name]} s\n`)
    return result
  }
}

async function settingsOf(
  database: OwnDatabase,
  { baseUrls, accountPageUrl, deskUrl }: Service,
  pages: string,
  log: string,
) {
  const sites = Object.entries(baseUrls).map((pair) => pair.join('='))
  return settingsFor(database, {
    ...{ SITES: sites.join(' '), ACCOUNT_PAGE_URL: accountPageUrl, DESK_URL: deskUrl },
    ...{ PAGES_DIRECTORY: pages, ERASURE_LOG: log },
  })
}

/** A command of the operator, as the runbook has it. Returns what it printed. */
async function broadside(settings: TestSettings, ...args: string[]) {
  const { code, stderr, json } = await runOperator(settings, ...args)
  if (code !== 0) throw new Error(`broadside ${args.join(' ')} failed:\n${stderr}`)
  return json
}

const counted = {
  accounts: 'select count(*) from accounts',
  posts: 'select count(*) from posts',
  published: "select count(*) from posts where status = 'published'",
  transfers: 'select count(*) from ledger_transfers',
  micros: 'select coalesce(sum(amount_micros), 0) from ledger_transfers',
  audit_entries: 'select position from audit_head',
}
const comparedTables = ['accounts', 'posts', 'ledger_transfers', 'balances', 'audit_log', 'webhooks', 'publications']

/** What the restored database must have: counts, the head of the audit log, and the same rows in the main tables. */
const readState = (adminUrl: string) =>
  asAdministrator(adminUrl, async (admin) => {
    const counts = Object.entries(counted).map(([name, query]) => `'${name}', (${query})`)
    const hashes = comparedTables.map((table) => `(select sum(hashtextextended(${table}::text, 0)) from ${table})`)
    const { rows } = await admin.query<{
      counts: Record<string, number>
      head: string
      hashes: string[]
      version: string
    }>(`
      select json_build_object(${counts.join(', ')}) as counts, array[${hashes.join(', ')}]::text[] as hashes,
        (select position || ':' || encode(hash, 'hex') from audit_head) as head,
        (select last_value from page_versions)::text as version`)
    const [state] = rows
    if (!state) throw new Error('the state of the database cannot be read')
    const text = JSON.stringify([state.counts, state.head, state.hashes])
    // The version is not part of the text: PostgreSQL logs a sequence ahead, so a restored one may have skipped values.
    return { counts: state.counts, auditHead: state.head, text, pageVersion: state.version }
  })

/** Links instead of copies: the page store replaces files and never changes them. */
async function copyPages(from: string, to: string): Promise<void> {
  mkdirSync(to)
  for (const { site } of kinds) await run('cp', ['-al', `${join(from, site.slug)}/.`, join(to, site.slug)])
}

async function compareSites(live: string, restored: string) {
  const all: Comparison[] = []
  for (const { site } of kinds) all.push(await comparePages(join(live, site.slug), join(restored, site.slug)))
  const joined = (name: 'excepted' | 'different' | 'missing' | 'extra') => all.flatMap((one) => one[name])
  const sum = (name: 'files' | 'same') => all.reduce((total, one) => total + one[name], 0)
  return {
    ...{ files: sum('files'), same: sum('same'), excepted: joined('excepted'), different: joined('different') },
    ...{ missing: joined('missing'), extra: joined('extra') },
  }
}

const shortLists = (pages: Comparison) =>
  Object.fromEntries(
    (['excepted', 'different', 'missing', 'extra'] as const).map((name) => [
      name,
      [...new Set(pages[name])].slice(0, 10),
    ]),
  )

const untilLogged = (adminUrl: string) =>
  asAdministrator(adminUrl, (admin) =>
    waitFor(async () => (await admin.query('select from erasures')).rowCount === 0, 'the erasure log'),
  )

/** What was acknowledged after the chosen second, and for how long. */
function lostAfter(target: Date, { posts, payments, erasures }: Acknowledged) {
  const times = [...posts, ...payments].map((time) => time.getTime())
  const seconds = (Math.max(...times) - target.getTime()) / 1_000
  return {
    seconds: Math.round(seconds * 10) / 10,
    posts: posts.length,
    payments: payments.length,
    erasures_repeated: erasures.length,
  }
}

async function isUntouched(cluster: BackedUpCluster, pid: number, service: Service, lost: readonly { id: string }[]) {
  if (cluster.pid() !== pid || !isRunning(pid)) return false
  const answers = await Promise.all(lost.map(({ id }) => fetch(`${service.baseUrl}/p/${id}.json`)))
  return answers.every(({ status }) => status === 200)
}

const sizeOf = async (folder: string) => Number((await run('du', ['-sb', folder])).stdout.split('\t')[0])
