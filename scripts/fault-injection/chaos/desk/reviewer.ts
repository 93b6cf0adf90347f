import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { openBrowser } from '../../../../tooling/clients/browser.ts'
import { driveByKeyboard, type Seen } from '../../../../tooling/clients/desk-keyboard.ts'
import { signInBrowser } from '../../../../tooling/clients/staff.ts'
import type { Random } from '../../../../tooling/random.ts'

/** What the reviewers share about their work, for the checks at the end. */
export type Shared = {
  /** The decision that was shown as done, by case. */
  shown: Map<string, { staffId: string; verdict: string }>
  undone: Set<string>
  /** The cases that a reviewer has skipped. A case that everyone skips would wait for half an hour. */
  skipped: Set<string>
  isOver: boolean
}

type Options = { id: string; token: string; random: Random; deskUrl: string; shared: Shared }

/** How long a reviewer waits before the next try when no case is left or the desk does not respond. */
const pauseMs = 400

/** A reviewer with a separate browser process. */
export async function openReviewer({ id, token, random, deskUrl, shared }: Options) {
  const mark = `--reviewer=${randomUUID()}`
  const browser = await openBrowser([mark])
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  await signInBrowser({ deskUrl }, context, token)
  const page = await context.newPage()
  const person = driveByKeyboard(page)
  const stepsMs: number[] = []
  const troubles = { lost: 0, refused: 0 }

  /** Returns to the start page. Retries, because the desk may be down. */
  async function startAgain(): Promise<void> {
    while (!shared.isOver) {
      const answer = await page.goto(`${deskUrl}/`, { waitUntil: 'domcontentloaded' }).catch(() => null)
      if (answer?.ok()) return
      await sleep(pauseMs)
    }
  }

  async function decideOne(seen: Extract<Seen, { key: string }>): Promise<void> {
    if (random.chance(0.05) && !shared.skipped.has(seen.key)) {
      shared.skipped.add(seen.key)
      return void (await person.go('s'))
    }
    const { verdict, milliseconds } = await person.decide(seen.kind, random.below(3), random.below(12))
    if (!(await isDone(page))) {
      const after = await person.see()
      // A page without a heading did not come from the desk.
      if (after.key !== null || after.heading !== '') troubles.refused++
      return
    }
    stepsMs.push(milliseconds)
    shared.shown.set(seen.key, { staffId: id, verdict })
    if (random.chance(0.05) && !shared.undone.has(seen.key)) await undo(seen.key)
  }

  async function undo(key: string): Promise<void> {
    shared.undone.add(key)
    await person.go('u')
    // The desk showed the decision as undone. If the page was lost instead, the result is unknown.
    shared.shown.delete(key)
  }

  /** Requests the next case if no case is on the screen and the page offers one. */
  async function lookAgain(heading: string): Promise<void> {
    if (await page.evaluate<boolean>(offersNext)) {
      await person.go('n')
      if ((await person.see()).key !== null) return
    } else {
      if (!/queue is empty/.test(heading)) troubles.lost++
      await startAgain()
    }
    await sleep(pauseMs)
  }

  return {
    id,
    stepsMs,
    troubles,
    /** Decides cases until everything is done or the given number is reached. */
    work: async (most: number): Promise<void> => {
      await startAgain()
      while (!shared.isOver && stepsMs.length < most) {
        try {
          const seen = await person.see()
          if (seen.key !== null) await decideOne(seen)
          else await lookAgain(seen.heading)
        } catch {
          if (shared.isOver) return
          troubles.lost++
          await startAgain()
        }
      }
    },
    /** Decides a case and undoes the decision, so that the reviewer holds two cases: this one and the next one. */
    holdTwo: async (): Promise<void> => {
      for (let tries = 0; tries < 20; tries++) {
        const first = await person.see()
        if (first.key === null) {
          await startAgain()
          await person.go('n').catch(() => {})
          continue
        }
        await person.decide(first.kind, 0).catch(() => startAgain())
        const second = await person.see()
        if (second.key === null || second.key === first.key) continue
        await undo(first.key).catch(() => startAgain())
        if ((await person.see()).key === first.key) return
      }
    },
    /** Kills the main process of the browser with SIGKILL; its other processes end with it. */
    kill: async (): Promise<void> => {
      process.kill(processOf(mark), 'SIGKILL')
      await sleep(0)
    },
    [Symbol.asyncDispose]: () => browser[Symbol.asyncDispose](),
  }
}

const offersNext = `Boolean([...document.querySelectorAll('[data-key=n]')].find((one) => one.checkVisibility()))`

/** The next page shows the decision, with a button to undo it. */
const isDone = (page: Page): Promise<boolean> => page.evaluate<boolean>(`Boolean(document.querySelector('.undo li'))`)

/** Among the browser's processes, only the main one has no type. */
function processOf(mark: string): number {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const words = wordsOf(pid)
    if (words.includes(mark) && !words.some((word) => word.startsWith('--type='))) return Number(pid)
  }
  throw new Error('The browser process was not found.')
}

function wordsOf(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}
