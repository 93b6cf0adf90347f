import lighthouse, { type Result } from 'lighthouse'
import { openBrowser } from '../../../tooling/clients/browser.ts'
import { pageTypesOf } from '../../../tooling/fixtures/page-types.ts'
import { seedSites } from '../../../tooling/fixtures/populated-sites.ts'
import { flag, readOptions } from '../../../tooling/script-options.ts'
import { quietPort } from '../../../tooling/services/state.ts'

const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const

/** The minimum score and the maximum size of a page, including its style sheet and fonts. */
const leastScore = 98
const mostBytes = 60_000
/** Other load on the machine makes a page slower, so a slow page is audited again. */
const tries = 3

const usual = ['front', 'post', 'topic', 'docs']
/** Lighthouse audits no pages whose status is an error. */
const errors = ['gone', 'not found', 'search that cannot be made']

/** Fails unless all pages meet their targets for scores, weight and layout shift on Lighthouse's simulated phone. */
export async function auditWithLighthouse(args: string[]): Promise<void> {
  const { types } = readOptions(args, { types: flag })
  await using environment = await seedSites()
  const port = await quietPort()
  await using _browser = await openBrowser([`--remote-debugging-port=${port}`])
  const rows: Record<string, Figures> = {}
  for (const site of environment.sites)
    for (const { name, url } of pageTypesOf(site))
      if (types ? !errors.includes(name) : usual.includes(name))
        rows[`${site.kind.site.slug} ${name}`] = await auditPage(port, url)
  console.table(rows)
  const short = Object.keys(rows).filter((name) => isShort(rows[name] as Figures))
  if (short.length === 0) return
  console.log(`Below target: ${short.join(', ')}`)
  process.exitCode = 1
}

type Figures = Record<(typeof categories)[number], number> & { bytes: number; 'layout shift': number }

const isShort = (figures: Figures) =>
  categories.some((name) => figures[name] < leastScore) || figures.bytes > mostBytes || figures['layout shift'] > 0

async function auditPage(port: number, url: string): Promise<Figures> {
  // Pages that search engines must not list are audited as if they could.
  const isUnlisted = /<meta name="robots" content="[^"]*noindex/.test(await (await fetch(url)).text())
  const scope = { onlyCategories: [...categories], ...(isUnlisted && { skipAudits: ['is-crawlable'] }) }
  let result: Result | undefined
  for (let attempt = 0; attempt < tries && (!result || isShort(figuresOf(result))); attempt++) {
    const { lhr } = (await lighthouse(url, { port, logLevel: 'error', ...scope })) ?? {}
    if (!lhr || lhr.runtimeError) throw new Error(`Lighthouse failed on ${url}: ${lhr?.runtimeError?.message}`)
    result = lhr
  }
  if (!result) throw new Error(`Lighthouse did not audit ${url}`)
  for (const { id, weight } of Object.values(result.categories).flatMap(({ auditRefs }) => auditRefs)) {
    const { score = null, title = '' } = result.audits[id] ?? {}
    if (weight > 0 && score !== null && score < 0.9) console.error(`  ${url} ${id}: ${score} (${title})`)
  }
  return figuresOf(result)
}

function figuresOf({ categories: found, audits }: Result): Figures {
  const scores = categories.map((name) => [name, Math.round((found[name]?.score ?? 0) * 100)])
  const network = audits['network-requests']?.details as { items: { transferSize: number }[] } | undefined
  return {
    ...(Object.fromEntries(scores) as Record<(typeof categories)[number], number>),
    bytes: (network?.items ?? []).reduce((sum, { transferSize }) => sum + transferSize, 0),
    'layout shift': audits['cumulative-layout-shift']?.numericValue ?? Number.NaN,
  }
}
