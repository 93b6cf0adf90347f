import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'
import { patienceMs } from '../services/state.ts'

/** A headless Chromium with a temporary profile. */
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

/** The binary is chromium on Debian and chromium-browser on Ubuntu. */
function findChromium(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  const files = ['chromium', 'chromium-browser'].flatMap((name) => folders.map((folder) => join(folder, name)))
  const found = files.find((file) => existsSync(file))
  if (!found) throw new Error('Chromium was not found. Run scripts/setup.')
  return found
}

/** Keeps Chromium from making its own network requests: no lookups, updates or reports. */
const chromiumFlags = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // The sandbox does not work for root, and tests in a container run as root.
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
]
