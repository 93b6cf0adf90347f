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
import { comparePages } from './compare-pages.ts'

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
  const broken: string[] = []
  const step = stepper(seconds)
  const must = (holds: boolean, what: string) => void (holds || broken.push(what))

  mkdirSync(join(folder, 'cluster'))
  const cluster = await step('cluster, stanza and check', () => startCluster(join(folder, 'cluster'), stack))
  await step('seed', () => seedDatabase({ urls: cluster.urls, posts, seed: 1, now: new Date() }))
  const erasureLog = join(folder, 'erasures')
  const service = stack.use(await startService({ database: kept(cluster), judges: true, erasureLog }))
  const live = await settingsOf(kept(cluster), service, service.pagesDirectory, erasureLog)
  await step('live pages', () => broadside(live, 'rebuild'))
  await step('full backup', () => cluster.backUp('--type=full', 'backup'))
  const before = nothingAcknowledged()
  const cast = await step('acts before', () => actBefore(service, before))
  await step('incremental backup', () => cluster.backUp('--type=incr', 'backup'))
  await actBefore(service, before)

  const then = await readState(cluster.adminUrl)
  await copyPages(service.pagesDirectory, join(folder, 'then'))
  const target = new Date(Math.ceil((Date.now() + 1) / 1_000) * 1_000)
  await sleep(target.getTime() - Date.now() + 1_000)
  const after = nothingAcknowledged()
  const lost = await step('acts after', () => actAfter(service, cast, after))
  await untilLogged(cluster.adminUrl)
  const livePid = cluster.pid()
  await cluster.archiveWal()

  const restored = await step('restore', () => cluster.restoreBeside(target))
  const restoredPages = join(folder, 'restored-pages')
  const own = await settingsOf(kept(restored), service, restoredPages, erasureLog)
  must((await readState(restored.adminUrl)).text === then.text, 'the restored rows are not those of the chosen second')
  const ledger = await step('ledger verify', () => broadside(own, 'ledger', 'verify'))
  const audit = await step('audit verify', () => broadside(own, 'audit', 'verify', '--expect', then.auditHead))
  await step('pages', () => broadside(own, 'rebuild'))
  const pages = await step('compare pages', async () => compareSites(join(folder, 'then'), restoredPages))
  must(
    pages.different.length + pages.missing.length + pages.extra.length === 0,
    'the rebuilt pages differ from the live ones',
  )
  const replayed = await step('erasures replay', () =>
    broadside(own, 'erasures', 'replay', '--since', target.toISOString()),
  )
  await step('pages without what was erased', () => broadside(own, 'rebuild'))
  const readable = await step('look for what was erased', () =>
    checkErased({ restored: kept(restored), pages: restoredPages, cast, lost }),
  )
  broken.push(...readable.broken)
  await broadside(own, 'ledger', 'verify')
  await broadside(own, 'audit', 'verify')
  must(await isUntouched(cluster, livePid, service, lost), 'the live service was disturbed')

  const bytes = await sizeOf(join(folder, 'cluster/repo'))
  return {
    posts,
    restored_to: target.toISOString(),
    restored: then.counts,
    ledger,
    audit,
    pages: { ...pages, ...shortLists(pages) },
    replayed,
    erased_readable: readable.found,
    lost: lostAfter(target, after),
    repository_mb: Math.round(bytes / 1_048_576),
    seconds,
    broken,
  }
}

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

/** What the restored database must have: counts, sums and the head of the audit log. */
const readState = (adminUrl: string) =>
  asAdministrator(adminUrl, async (admin) => {
    const { rows } = await admin.query<{ counts: Record<string, number>; head: string }>(`
      select json_build_object(
        'accounts', (select count(*) from accounts), 'posts', (select count(*) from posts),
        'published', (select count(*) from posts where status = 'published'),
        'transfers', (select count(*) from ledger_transfers),
        'micros', (select coalesce(sum(amount_micros), 0) from ledger_transfers),
        'audit_entries', (select position from audit_head)) as counts,
        (select position || ':' || encode(hash, 'hex') from audit_head) as head`)
    const { counts, head } = rows[0] as { counts: Record<string, number>; head: string }
    return { counts, auditHead: head, text: JSON.stringify([counts, head]) }
  })

/** Links instead of copies: the page store replaces files and never changes them. */
async function copyPages(from: string, to: string): Promise<void> {
  mkdirSync(to)
  for (const { site } of kinds) await run('cp', ['-al', `${join(from, site.slug)}/.`, join(to, site.slug)])
}

function compareSites(live: string, restored: string) {
  const all = kinds.map(({ site }) => comparePages(join(live, site.slug), join(restored, site.slug)))
  const joined = (name: 'excepted' | 'different' | 'missing' | 'extra') => all.flatMap((one) => one[name])
  const sum = (name: 'files' | 'same') => all.reduce((total, one) => total + one[name], 0)
  return {
    ...{ files: sum('files'), same: sum('same'), excepted: joined('excepted'), different: joined('different') },
    ...{ missing: joined('missing'), extra: joined('extra') },
  }
}

const shortLists = (pages: ReturnType<typeof compareSites>) =>
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
