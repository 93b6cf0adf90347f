import { availableParallelism } from 'node:os'
import { allDocuments } from '../../../documents/all-documents.ts'
import { deploymentFrom, deploymentSettings } from '../../../documents/deployment.ts'
import { bySite, writeDocuments } from '../../../documents/write-documents.ts'
import type { Kind } from '../../../kinds/index.ts'
import { type Clock, systemClock } from '../../../platform/clock.ts'
import { connect, type Database, inTransaction } from '../../../platform/database/database.ts'
import { openPages, type PagesPlace } from '../../../platform/page-store/open-pages.ts'
import { pagesPlaceFrom, pagesSettings } from '../../../platform/page-store/pages-settings.ts'
import { readSettings } from '../../../platform/settings/settings.ts'
import type { Sites } from '../../../posts/sites.ts'
import { type RequestPurges, requestPurgesAt } from '../../../publishing/jobs/cdn-purges.ts'
import { publishSince } from '../../../publishing/jobs/publish-post.ts'
import { openPublishing } from '../../../publishing/publishing.ts'
import { AlreadyRebuilding, rebuildSite } from '../../../publishing/rebuild/rebuild-site.ts'
import { siteViews } from '../../../publishing/views.ts'
import { type Command, CommandError, type CommandInput, printJson } from '../../command.ts'
import { readClockOffset } from '../../development-clock.ts'
import { showProgress } from '../../progress.ts'
import { sitesFromSettings } from '../../sites.ts'

const documentsCommand: Command = {
  usage: 'documents',
  summary: 'Writes the static files of the sites: contracts, documentation and style sheets.',
  details:
    'Run it after every upgrade. It skips files that have not changed, and does not touch posts, listings or feeds. ' +
    'Run it at least every 300 days, because /.well-known/security.txt has an expiry date. ' +
    'With CDN_PROVIDER, workers then tell the CDN to forget the sites.',
  run: async ({ environment }) => {
    const settings = readSettings(environment, [...deploymentSettings, ...pagesSettings, 'CDN_PROVIDER'])
    const databaseUrl = settings.CDN_PROVIDER && readSettings(environment, ['WORKER_DATABASE_URL']).WORKER_DATABASE_URL
    const documents = allDocuments(deploymentFrom(settings, systemClock.now()))
    const written = await writeDocuments(documents, pagesPlaceFrom(settings))
    if (databaseUrl) await purgeSites(databaseUrl, bySite(documents).keys())
    printJson({ documents: documents.size, files_written: written })
  },
}

async function purgeSites(databaseUrl: string, sites: Iterable<string>) {
  await using connection = connect(databaseUrl, { poolMax: 1, applicationName: 'broadside documents' })
  const requestPurges = requestPurgesAt(systemClock)
  await inTransaction(connection.db, async (tx) => {
    for (const site of sites) await requestPurges(tx, site, 'all')
  })
}

const rebuildSettings = [
  ...deploymentSettings,
  'BROADSIDE_ENVIRONMENT',
  ...pagesSettings,
  'WORKER_DATABASE_URL',
  'CDN_PROVIDER',
] as const

const rebuildCommand: Command = {
  usage: 'rebuild',
  summary: 'Builds the pages of the sites from the database in a new directory, then swaps it in.',
  details:
    'The sites stay available, and posts are still published. If it is stopped, the next run continues where it left off. ' +
    'With --since, it instead republishes the posts that changed since that time, in place; a worker must run to write the listings.',
  options: {
    site: { type: 'string', description: 'Only this kind of post, such as message. Default: all.' },
    since: { type: 'string', description: 'An ISO 8601 time, such as 2026-11-15T12:00:00Z.' },
    threads: { type: 'string', description: 'Number of rendering threads. Default: the number of CPU cores.' },
  },
  run: async (input) => {
    const settings = readSettings(input.environment, rebuildSettings)
    const sites = sitesFromSettings(settings.SITES)
    const chosen = chooseKinds(sites, input.flags['site'])
    const since = readTime(input.flags['since'])
    const threads = readThreads(input)
    const databaseUrl = settings.WORKER_DATABASE_URL
    await using connection = connect(databaseUrl, {
      ...{ poolMax: 4, applicationName: 'broadside rebuild', statementTimeoutMs: 0 },
    })
    const offsetMs = settings.BROADSIDE_ENVIRONMENT === 'production' ? 0 : await readClockOffset(connection.pool)
    const clock = { now: () => new Date(systemClock.now().getTime() + offsetMs) }
    const pages = pagesPlaceFrom(settings)
    const requestPurges = settings.CDN_PROVIDER ? requestPurgesAt(clock) : undefined
    const parts = { db: connection.db, clock, sites, pages, databaseUrl, threads, requestPurges }
    if (since) return await repair(parts, chosen, since)
    const documents = bySite(allDocuments(deploymentFrom(settings, systemClock.now())))
    for (const kind of chosen) await rebuildOne(parts, kind, documents.get(kind.site.slug) ?? new Map())
  },
}

type Parts = {
  db: Database
  clock: Clock
  sites: Sites
  pages: PagesPlace
  databaseUrl: string
  threads: number
  requestPurges: RequestPurges | undefined
}

async function rebuildOne(parts: Parts, kind: Kind, documents: ReadonlyMap<string, string | Buffer>) {
  const site = siteViews(parts.sites).get(kind.name)
  if (!site) return
  const startedAt = performance.now()
  const onProgress = showProgress(kind.site.slug)
  const { posts, pages, files, isResumed } = await rebuildSite({ ...parts, site, documents, onProgress }).catch(
    (error) => {
      if (!(error instanceof AlreadyRebuilding)) throw error
      throw new CommandError(`Another rebuild of ${kind.site.slug} is running. Wait until it ends, or stop it first.`)
    },
  )
  const seconds = (performance.now() - startedAt) / 1_000
  printJson({
    site: kind.site.slug,
    resumed: isResumed,
    ...{ posts, pages, files_written: files, seconds: Math.round(seconds * 10) / 10 },
    posts_per_second: Math.round(posts / seconds),
  })
}

async function repair(parts: Parts, chosen: readonly Kind[], since: Date) {
  await using pages = openPages(parts.pages)
  const publishing = { ...(await openPublishing({ ...parts, pages })), requestPurges: parts.requestPurges }
  for (const kind of chosen) {
    const onProgress = showProgress(kind.site.slug)
    printJson({
      site: kind.site.slug,
      published_again: await publishSince(publishing, { kind: kind.name, since, onProgress }),
    })
  }
}

function chooseKinds(sites: Sites, name: string | boolean | undefined): Kind[] {
  const kinds = [...sites.values()].map(({ kind }) => kind)
  if (name === undefined) return kinds
  const chosen = kinds.filter((kind) => kind.name === name || kind.site.slug === name)
  if (chosen.length > 0) return chosen
  throw new CommandError(`--site must be one of: ${kinds.map((kind) => kind.name).join(', ')}.`)
}

function readTime(text: string | boolean | undefined): Date | undefined {
  if (text === undefined) return undefined
  const time = new Date(String(text))
  if (!Number.isNaN(time.getTime()) && /^\d{4}-\d{2}-\d{2}/.test(String(text))) return time
  throw new CommandError('--since must be an ISO 8601 time, such as 2026-11-15T12:00:00Z.')
}

function readThreads({ flags }: CommandInput): number {
  const count = Number(flags['threads'] ?? availableParallelism())
  if (Number.isInteger(count) && count >= 1 && count <= 64) return count
  throw new CommandError('--threads must be a whole number from 1 to 64.')
}

export const commands: readonly Command[] = [documentsCommand, rebuildCommand]
