import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'
import { patienceMs } from '../services/state.ts'

/** A Chromium without a window, with a profile of its own that goes with it. */
export async function openBrowser(flags: readonly string[] = []) {
  const profile = mkdtempSync(join(tmpdir(), 'broadside-chromium-'))
  const browser = await chromium.launch({
    executablePath: findChromium(),
    headless: true,
    timeout: patienceMs,
    args: [...chromiumFlags, ...flags],
    env: { ...process.env, HOME: profile },
  })
  return {
    newContext: async (options: BrowserContextOptions): Promise<BrowserContext> => {
      const context = await browser.newContext(options)
      context.setDefaultTimeout(patienceMs)
      return context
    },
    [Symbol.asyncDispose]: async () => {
      await browser.close()
      rmSync(profile, { recursive: true, force: true })
    },
  }
}

/** Debian calls it chromium, Ubuntu chromium-browser. */
function findChromium(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const files = ['chromium', 'chromium-browser'].flatMap((name) => folders.map((folder) => join(folder, name)))
  const found = files.find((file) => existsSync(file))
  if (!found) throw new Error('Chromium was not found. Run scripts/setup.')
  return found
}

/** It stays on this machine: nothing is looked up, updated or reported. */
const chromiumFlags = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Its sandbox refuses to run as root, as tests in a container do.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]
