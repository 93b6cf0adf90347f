import type { Page } from 'playwright-core'
import { type CaseKind, kindOfCase, type VerdictId, verdictsOf } from '../../src/cases/case-kinds.ts'

/** What is on the screen: a case that is theirs to decide, or something else. */
export type Seen = { key: string; kind: CaseKind } | { key: null; heading: string }

/** From a key to the page that follows: all of it, and the part in which the page waited for the server. */
export type Step = { milliseconds: number; serverMs: number }

/** The first letter is the category that stands first in the dialog. */
const categoryKeys = '123456789abc'

/** A case that has just appeared takes no answer for a moment. As a selector: the page's policy lets nobody poll a script. */
export const untilRested = (page: Page) => page.waitForSelector('html:not([data-rests])', { state: 'attached' })

/** Somebody at the desk who has a keyboard and nothing else. */
export function driveByKeyboard(page: Page) {
  const press = (...keys: string[]) =>
    keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())

  /** Presses what leads to another page, and waits until that one takes keys. */
  async function go(...keys: string[]): Promise<Step> {
    const startedAt = performance.now()
    const arrived = page.waitForEvent('domcontentloaded')
    await Promise.all([arrived, press(...keys)])
    await untilRested(page)
    const milliseconds = performance.now() - startedAt
    return { milliseconds, serverMs: await page.evaluate<number>(waitedForServer) }
  }

  return {
    press,
    go,
    see: async (): Promise<Seen> => {
      const { heading, isTheirs } = await page.evaluate<{ heading: string; isTheirs: boolean }>(readScreen)
      const key = decodeURIComponent(/\/cases\/([^/?]+)$/.exec(new URL(page.url()).pathname)?.[1] ?? '')
      const kind = kindOfCase(key)
      return kind && isTheirs ? { key, kind } : { key: null, heading }
    },
    /** Gives the answer of this number to a case of this kind, for the category of this number if it needs one. */
    decide: async (kind: CaseKind, answer: number, category = answer): Promise<Step & { verdict: VerdictId }> => {
      const fitting = verdictsOf(kind)
      const verdict = fitting[answer % fitting.length] as (typeof fitting)[number]
      const named = verdict.needsCategory ? [categoryKeys[category % categoryKeys.length] as string] : []
      return { ...(await go(verdict.key, ...named)), verdict: verdict.id }
    },
    /** Tabs to a button of this name, and presses it. */
    pressButton: async (name: string): Promise<void> => {
      for (let tabs = 0; tabs < 40; tabs++) {
        await press('Tab')
        if ((await page.evaluate<string>(nameOfFocused)).startsWith(name)) return press('Enter')
      }
      throw new Error(`No button “${name}” is reached by Tab.`)
    },
  }
}

// These run in the browser, whose types the project does not have.
const waitedForServer = `(() => {
  const [own] = performance.getEntriesByType('navigation')
  return own.responseEnd - own.startTime
})()`
const readScreen = `({
  heading: document.querySelector('h1')?.textContent ?? '',
  isTheirs: Boolean(document.querySelector('.verdicts form.held:not([hidden])')),
})`
const nameOfFocused = `document.activeElement?.textContent.trim() ?? ''`
