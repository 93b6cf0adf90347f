import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import type { openBrowser } from '../../../tooling/clients/browser.ts'

export type Look = { colorScheme: 'light' | 'dark'; viewport: { width: number; height: number } }
export type Rules = { runOnly?: readonly string[] }

/** What colours can break. The elements are the same in every look. */
export const colourRules: Rules = { runOnly: ['color-contrast', 'link-in-text-block'] }

/** One page for all that is looked at, with what is heard from it. */
export async function openWatched(browser: Awaited<ReturnType<typeof openBrowser>>, look: Look) {
  const context = await browser.newContext(look)
  // Once and for all pages: sending it with each takes longer than running it.
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

/** Runs in the page, and gives what has moved by the time that it was painted. As a text, since our types know of no document. */
const readShifts = `(async () => {
  for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
  return shifts.map(({ value, sources }) => [value, ...sources.map(({ node }) => node?.nodeName)].join(' '))
})()`

/** A browser that is starved of time paints half a page, and then moves it. That is the machine's doing, and does not happen every time. */
export async function loadSteadily(page: Page, url: string): Promise<string[]> {
  for (let loads = 1; ; loads++) {
    const response = await page.goto(url)
    const shifts = await page.evaluate<string[]>(readShifts)
    if (shifts.length > 0 && loads < 3) continue
    const status = Number(response?.status())
    return [...(status >= 500 ? [`it is a ${status}`] : []), ...shifts.map((shift) => `the layout shifts by ${shift}`)]
  }
}

/** What is wrong with the page as it stands: what axe finds, and that it is too wide. */
export async function faultsOf(page: Page, look: Look, rules: Rules): Promise<string[]> {
  // The page of a case rests for a moment before it takes an answer, and is pale meanwhile.
  await page.locator('html:not([data-rests])').waitFor({ state: 'attached' })
  const width = await page.evaluate<number>('document.documentElement.scrollWidth')
  const options = JSON.stringify({ ...rules, resultTypes: ['violations'], preload: false })
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${options})`)
  return [
    ...(width > look.viewport.width ? [`it is ${width} px wide`] : []),
    ...violations.map(({ id, help, nodes }) => `axe ${id}: ${help} (${nodes.length}): ${nodes[0]?.html}`),
  ]
}
