import type { Page } from 'playwright-core'
import { type CaseKind, kindOfCase, type VerdictId, verdictsOf } from '../../src/cases/case-kinds.ts'

/** The content of the screen: a case that this reviewer can decide, or something else. */
export type Seen = { key: string; kind: CaseKind } | { key: null; heading: string }

/** Time from a key press to the next page: in total, and the part spent waiting for the server. */
export type Step = { milliseconds: number; serverMs: number }

/** The keys of the categories in the dialog, in order. */
const categoryKeys = '123456789abc'

/**
 * A new case ignores keys for a moment. Waits until it accepts them. Waits for a selector, because the page's content
 * security policy does not allow polling with a script.
 */
export const untilRested = (page: Page) => page.waitForSelector('html:not([data-rests])', { state: 'attached' })

/** A reviewer who uses only the keyboard. */
export function driveByKeyboard(page: Page) {
  const press = (...keys: string[]) =>
    keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve())

  /** Presses a key that leads to another page, and waits until that page accepts keys. */
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
    /** Decides a case of this kind with the numbered verdict, and the numbered category if the verdict needs one. */
    decide: async (kind: CaseKind, answer: number, category = answer): Promise<Step & { verdict: VerdictId }> => {
      const fitting = verdictsOf(kind)
      const verdict = fitting[answer % fitting.length] as (typeof fitting)[number]
      const named = verdict.needsCategory ? [categoryKeys[category % categoryKeys.length] as string] : []
      return { ...(await go(verdict.key, ...named)), verdict: verdict.id }
    },
    /** Tabs to the button with this name and presses it. */
    pressButton: async (name: string): Promise<void> => {
      for (let tabs = 0; tabs < 40; tabs++) {
        await press('Tab')
        if ((await page.evaluate<string>(nameOfFocused)).startsWith(name)) return press('Enter')
      }
      throw new Error(`Tab does not reach a button named “${name}”.`)
    },
  }
}

// These functions run in the browser. The project has no DOM types.
const waitedForServer = `(() => {
  const [own] = performance.getEntriesByType('navigation')
  return own.responseEnd - own.startTime
})()`
const readScreen = `({
  heading: document.querySelector('h1')?.textContent ?? '',
  isTheirs: Boolean(document.querySelector('.verdicts form.held:not([hidden])')),
})`
const nameOfFocused = `document.activeElement?.textContent.trim() ?? ''`
