import lighthouse, { type Result } from 'lighthouse'
import { openBrowser } from '../../../tooling/clients/browser.ts'
import { pageTypesOf } from '../../../tooling/fixtures/page-types.ts'
import { type SeededSite, seedSites } from '../../../tooling/fixtures/populated-sites.ts'
import { flag, readOptions, texts } from '../../../tooling/script-options.ts'
import { quietPort } from '../../../tooling/services/state.ts'

const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const

/** The minimum score and the maximum size of a page, including its style sheet and fonts. */
const leastScore = 98
const mostBytes = 60_000
/** Other load on the machine makes a page slower, so a slow page is audited again. */
const tries = 3

type Figures = Record<(typeof categories)[number], number> & {
  'page bytes': number
  'all bytes': number
  'layout shift': number
  'largest paint s': number
}

type Audited = { name: string; url: string }

/**
 * Fails unless all pages meet their targets for scores, weight and layout shift on Lighthouse's simulated phone. With
 * `--types`, audits every page type on one site, and front pages and posts on all; with `--base`, another deployment.
 */
export async function auditWithLighthouse(args: string[]): Promise<void> {
  const { base, types } = readOptions(args, { base: texts('URL'), types: flag })
  if (base) return auditPages(await commonPages(base))
  await using environment = await seedSites()
  const { sites } = environment
  await auditPages(types ? pageOfEachType(sites) : await commonPages(sites.map(({ baseUrl }) => baseUrl)))
}

async function commonPages(baseUrls: readonly string[]): Promise<Audited[]> {
  const pages: Audited[] = []
  for (const baseUrl of baseUrls) {
    const site = await siteName(baseUrl)
    for (const [type, url] of Object.entries(await pagesOf(baseUrl))) pages.push({ name: `${site} ${type}`, url })
  }
  return pages
}

/** Lighthouse audits no pages whose status is an error. */
function pageOfEachType(sites: readonly SeededSite[]): Audited[] {
  const all = sites.flatMap((site) =>
    pageTypesOf(site).map(({ name, url }) => ({ type: name, name: `${site.kind.site.slug} ${name}`, url })),
  )
  const types = Object.groupBy(
    all.filter(({ type }) => !['gone', 'not found', 'search that cannot be made'].includes(type)),
    ({ type }) => type,
  )
  return Object.values(types).flatMap((pages = [], turn) =>
    /^(front|post)$/.test(pages[0]?.type ?? '') ? pages : (pages[turn % pages.length] ?? []),
  )
}

async function auditPages(pages: readonly Audited[]): Promise<void> {
  const port = await quietPort()
  await using _browser = await openBrowser([`--remote-debugging-port=${port}`])
  const rows = new Map<string, Figures>()
  for (const { name: page, url } of pages) {
    rows.set(page, await auditPage(port, url))
    console.error(`${page}: ${categories.map((name) => rows.get(page)?.[name]).join(' ')}`)
  }
  console.table(Object.fromEntries(rows))
  const short = [...rows].filter(([, figures]) => isShort(figures)).map(([page]) => page)
  if (short.length === 0) return
  console.log(`Below target: ${short.join(', ')}`)
  process.exitCode = 1
}

const isShort = (figures: Figures) =>
  categories.some((name) => figures[name] < leastScore) ||
  figures['all bytes'] > mostBytes ||
  figures['layout shift'] > 0

const isUneasy = (figures: Figures) => figures.performance < leastScore || figures['layout shift'] > 0

async function siteName(baseUrl: string): Promise<string> {
  return /<body class="(\w+)"/.exec(await read(`${baseUrl}/`))?.[1] ?? baseUrl
}

const read = async (url: string) => (await fetch(url)).text()

/** A page of each audited type, found by following links. */
async function pagesOf(baseUrl: string): Promise<Record<string, string>> {
  const linkOn = async (path: string, pattern: RegExp) => {
    const found = pattern.exec(await read(baseUrl + path))?.[1]
    if (!found) throw new Error(`${baseUrl}${path} has no link that matches ${pattern}. Publish something there first.`)
    return baseUrl + found
  }
  return {
    front: `${baseUrl}/`,
    post: await linkOn('/', /href="(\/p\/[^"]+)"/),
    topic: await linkOn('/topics/', /href="(\/topics\/[^"]+)"/),
    docs: `${baseUrl}/docs/`,
  }
}

async function auditPage(port: number, url: string): Promise<Figures> {
  let best: Result | undefined
  for (let attempt = 0; attempt < tries && (!best || isUneasy(figuresOf(best))); attempt++) {
    const { lhr } = (await lighthouse(url, { port, logLevel: 'error', ...(await scopeOf(url)) })) ?? {}
    if (!lhr || lhr.runtimeError) throw new Error(`Lighthouse failed on ${url}: ${lhr?.runtimeError?.message}`)
    const figures = figuresOf(lhr)
    if (!best || !isUneasy(figures) || figures.performance > figuresOf(best).performance) best = lhr
  }
  if (!best) throw new Error(`Lighthouse did not audit ${url}`)
  for (const fault of faultsOf(best)) console.error(`  ${url} ${fault}`)
  return figuresOf(best)
}

/** Pages that search engines must not list are audited as if they could. */
async function scopeOf(url: string) {
  const isUnlisted = /<meta name="robots" content="[^"]*noindex/.test(await read(url))
  return { onlyCategories: [...categories], ...(isUnlisted && { skipAudits: ['is-crawlable'] }) }
}

type Request = { resourceType: string; transferSize: number }

function figuresOf({ categories: found, audits }: Result): Figures {
  const scores = categories.map((name) => [name, Math.round((found[name]?.score ?? 0) * 100)])
  const network = audits['network-requests']?.details as { items: unknown } | undefined
  const items = (network?.items ?? []) as Request[]
  const bytesOf = (all: readonly Request[]) => all.reduce((sum, { transferSize }) => sum + transferSize, 0)
  return {
    ...(Object.fromEntries(scores) as Record<(typeof categories)[number], number>),
    'page bytes': bytesOf(items.filter(({ resourceType }) => resourceType === 'Document')),
    'all bytes': bytesOf(items),
    'layout shift': audits['cumulative-layout-shift']?.numericValue ?? Number.NaN,
    'largest paint s': Math.round(audits['largest-contentful-paint']?.numericValue ?? 0) / 1_000,
  }
}

/** The audits that lowered a score. */
function faultsOf({ categories: found, audits }: Result): string[] {
  const counted = Object.values(found).flatMap(({ auditRefs }) => auditRefs.filter(({ weight }) => weight > 0))
  return counted
    .map(({ id }) => audits[id])
    .filter((audit) => audit !== undefined && audit.score !== null && audit.score < 0.9)
    .map(
      (audit) => `${audit?.id}: ${audit?.score} ${audit?.explanation ?? audit?.displayValue ?? ''} (${audit?.title})`,
    )
}
