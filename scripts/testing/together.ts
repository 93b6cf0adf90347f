import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, suite } from 'node:test'
import { pathToFileURL } from 'node:url'
import { repoDir } from '../../tooling/services/state.ts'

/** What the files of a process share and must leave as they found it. ONNX Runtime always sets its variable. */
const shared = (): Record<string, unknown> => ({
  ...process.env,
  ORT_DISABLE_TELEMETRY: undefined,
  exitCode: process.exitCode,
  folder: process.cwd(),
  fetch: globalThis.fetch,
  setTimeout: globalThis.setTimeout,
  Date: globalThis.Date,
  now: Date.now,
  log: console.log,
  listeners: ['warning', 'SIGTERM', 'SIGINT'].map((event) => process.listenerCount(event)).join(),
})

/**
 * Runs test files in one process, because loading the service takes longer than most of them. Each is a suite, so that
 * its hooks apply to its own tests. They are loaded one after the other before the first test: a test belongs to the
 * suite that loads its file.
 */
export async function runTogether(files: readonly string[]): Promise<void> {
  const allLoaded = Promise.withResolvers<void>()
  for (const file of files) {
    const loaded = Promise.withResolvers<void>()
    suite(file, async () => {
      try {
        let found: Record<string, unknown> = {}
        before(() => {
          found = shared()
        })
        await import(pathToFileURL(join(repoDir, file)).href)
        after(() => {
          const now = shared()
          const changed = Object.keys({ ...found, ...now }).filter((name) => found[name] !== now[name])
          assert.deepEqual(changed, [], `${file} changed what it shares with other test files`)
        })
      } finally {
        loaded.resolve()
      }
      await allLoaded.promise
    })
    await loaded.promise
  }
  allLoaded.resolve()
}
