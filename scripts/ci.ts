import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { flag, readOptions, runScript } from '../tooling/script-options.ts'
import { stopObjectStore } from '../tooling/services/object-store.ts'
import { stopPostgres } from '../tooling/services/postgres.ts'
import { repoDir } from '../tooling/services/state.ts'

const details = `Runs the checks that a change must pass, cheapest first, and stops at the first that fails.

  --nightly   runs what \`npm run nightly\` does: every test at its whole length, and the drills and fuzzers that fit
              into 90 minutes`

/** The checks that a change must pass, cheapest first. `.ci/run` and contributors both run them. */
const checks = ['check', 'generate -- --check', 'build', 'check:client']

/** What takes too long for every change. */
const nightlySteps = [
  'eval -- moderation --check',
  'test -- --whole',
  'fuzz -- requests --count 100000',
  'fuzz -- doors --count 100000',
  'drill -- upgrade',
]

await runScript({ command: 'npm run ci', details }, async (args) => {
  const { nightly } = readOptions(args, { nightly: flag })
  const memory = openMemory()
  try {
    if (nightly) await runSteps([...checks, ...nightlySteps], { stopsAtFailure: false })
    else await runSteps([...checks, 'test'], { stopsAtFailure: true })
  } finally {
    // What this run started must not outlive it.
    if (memory || process.env['CI']) await Promise.all([stopPostgres(), stopObjectStore()])
    if (memory) rmSync(memory, { recursive: true, force: true })
  }
})

async function runSteps(steps: readonly string[], { stopsAtFailure }: { stopsAtFailure: boolean }): Promise<void> {
  for (const step of steps) {
    const startedAt = performance.now()
    console.log(`\n▶ npm run ${step}`)
    const child = spawn('npm', ['run', '--silent', ...step.split(' ')], { cwd: repoDir, stdio: 'inherit' })
    const [code] = await once(child, 'exit')
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
    console.log(`${code === 0 ? '✓' : '✗'} npm run ${step} (${seconds} s)`)
    if (code !== 0) process.exitCode = 1
    if (code !== 0 && stopsAtFailure) return
  }
}

/**
 * Creates a folder in memory for the cluster and all files of this run, if there is enough memory: tests write and
 * commit hundreds of thousands of small files, which takes half of their time on a slow disk. A separate cluster also
 * leaves the contributor's cluster untouched.
 */
function openMemory(): string | null {
  const gigabyte = 1024 ** 3
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    if (bavail * bsize < 8 * gigabyte || process.availableMemory() < 12 * gigabyte) return null
    const folder = mkdtempSync('/dev/shm/broadside-ci-')
    // The system users that run PostgreSQL and the gateway need access to the folder.
    chmodSync(folder, 0o755)
    const temporary = join(folder, 'tmp')
    mkdirSync(temporary)
    chmodSync(temporary, 0o1777)
    Object.assign(process.env, { BROADSIDE_STATE_DIR: folder, TMPDIR: temporary })
    return folder
  } catch {
    return null
  }
}
