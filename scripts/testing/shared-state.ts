import assert from 'node:assert/strict'

/** Functions that tests replace with mocks. A mock that stays would reach the files that run afterwards. */
const mocked = {
  fetch: () => globalThis.fetch,
  setTimeout: () => globalThis.setTimeout,
  setInterval: () => globalThis.setInterval,
  setImmediate: () => globalThis.setImmediate,
  Date: () => globalThis.Date,
  'Date.now': () => Date.now,
  'performance.now': () => performance.now,
  'Math.random': () => Math.random,
  'console.log': () => console.log,
  'console.error': () => console.error,
  'console.warn': () => console.warn,
  'process.stdout.write': () => process.stdout.write,
  'process.stderr.write': () => process.stderr.write,
}

/** Events whose listeners would see what later files do. The test runner itself listens for uncaught errors. */
const events = ['warning', 'SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** The model sets it before it loads ONNX Runtime, always to the same value. */
const setByRuntime = 'ORT_DISABLE_TELEMETRY'

/** What test files in one process share, by name. */
const readShared = (): Map<string, unknown> =>
  new Map<string, unknown>([
    ...Object.entries(process.env)
      .filter(([name]) => name !== setByRuntime)
      .map(([name, value]) => [`process.env.${name}`, value] as const),
    ['process.exitCode', process.exitCode],
    ['process.argv', process.argv.join(' ')],
    ['process.title', process.title],
    ['process.cwd()', process.cwd()],
    ['process.umask()', process.umask()],
    ...Object.entries(mocked).map(([name, read]) => [name, read()] as const),
    ...events.map((event) => [`listeners of ${event}`, process.listenerCount(event)] as const),
  ])

/**
 * Remembers what test files in one process share. The returned function fails with the names of what has changed since,
 * so that no test passes or fails only because of the files that ran before it.
 */
export function rememberShared(): (file: string) => void {
  const before = readShared()
  return (file) => {
    const now = readShared()
    const names = [...new Set([...before.keys(), ...now.keys()])]
    const changed = names.filter((name) => before.get(name) !== now.get(name))
    assert.deepEqual(changed, [], `${file} left changed what it shares with the test files of its process`)
  }
}
