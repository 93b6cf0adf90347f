import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import type { openBrowser } from '../../../tooling/clients/browser.ts'

export type Look = { colorScheme: 'light' | 'dark'; viewport: { width: number; height: number } }
export type Rules = { runOnly?: readonly string[] }

/** What colours can break. The elements are the same in every variant. */
export const colourRules: Rules = { runOnly: ['color-contrast', 'link-in-text-block'] }

/** One browser page for all checks, with its console messages. */
export async function openWatched(browser: Awaited<ReturnType<typeof openBrowser>>, look: Look) {
  const context = await browser.newContext(look)
  // Once for all pages: sending it with each takes longer than running it.
  await context.addInitScript({ content: `${axe.source};${watchShifts}` })
  const page = await context.newPage()
  const heard: string[] = []
  page.on('console', (message) => {
    if (!message.text().startsWith('Failed to load resource')) heard.push(`console: ${message.text()}`)
  })
  page.on('pageerror', (error) => heard.push(`script: ${error.message}`))
  return { context, page, heard }
}

const watchShifts = `
globalThis.shifts = []
new PerformanceObserver((list) => shifts.push(...list.getEntries())).observe({ type: 'layout-shift', buffered: true })`

/** Runs in the page and returns the layout shifts until it was painted. As a string, because we have no DOM types. */
const readShifts = `(async () => {
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
  return shifts.map(({ value, sources }) => [value, ...sources.map(({ node }) => node?.nodeName)].join(' '))
})()`

/**
 * A browser without enough CPU time paints half a page and then shifts it. The machine causes that, and not every time.
 */
export async function loadSteadily(page: Page, url: string): Promise<string[]> {
  for (let loads = 1; ; loads++) {
    const response = await openOnce(page, url)
    const shifts = await page.evaluate<string[]>(readShifts)
    if (shifts.length > 0 && loads < 3) continue
    const status = Number(response?.status())
    return [...(status >= 500 ? [`it is a ${status}`] : []), ...shifts.map((shift) => `the layout shifts by ${shift}`)]
  }
}

/** A page that refreshes itself, such as that of a payment, may do so while a busy machine opens the next one. */
async function openOnce(page: Page, url: string, tries = 5) {
  try {
    return await page.goto(url)
  } catch (error) {
    if (tries === 1 || !String(error).includes('net::ERR_ABORTED')) throw error
    return openOnce(page, url, tries - 1)
  }
}

/** The errors of the current page: axe violations, and horizontal overflow. */
export async function faultsOf(page: Page, look: Look, rules: Rules): Promise<string[]> {
  // The page of a case ignores answers for a moment, and is pale meanwhile.
  await page.locator('html:not([data-rests])').waitFor({ state: 'attached' })
  const width = await page.evaluate<number>('document.documentElement.scrollWidth')
  const options = JSON.stringify({ ...rules, resultTypes: ['violations'], preload: false })
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${options})`)
  return [
    ...(width > look.viewport.width ? [`it is ${width} px wide`] : []),
    ...violations.map(({ id, help, nodes }) => `axe ${id}: ${help} (${nodes.length}): ${nodes[0]?.html}`),
  ]
}
