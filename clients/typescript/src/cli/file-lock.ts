import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

/** A lock is held while a small file is rewritten. One that is older was left by a process that was killed. */
const staleMs = 10_000
const maxWaitMs = 30_000

/** Does the work while no other process does it for this file. */
export async function withLock(path: string, work: () => void): Promise<void> {
  const lock = `${path}.lock`
  const token = `${process.pid} ${randomUUID()}`
  const end = performance.now() + maxWaitMs
  while (!isTaken(lock, token)) {
    removeStale(lock)
    if (performance.now() > end) throw new Error(`${lock} is held by another process.`)
    await wait(2 + Math.random() * 10)
  }
  try {
    work()
  } finally {
    if (contentOf(lock) === token) rmSync(lock, { force: true })
  }
}

/** Only one process can create a file that does not exist. */
function isTaken(lock: string, token: string): boolean {
  try {
    writeFileSync(lock, token, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Windows refuses a name whose file is being deleted.
    if (code === 'EEXIST' || (code === 'EPERM' && process.platform === 'win32')) return false
    throw error
  }
}

function removeStale(lock: string): void {
  const aside = `${lock}.${randomUUID()}`
  try {
    const { mtimeMs } = statSync(lock)
    if (Math.abs(Date.now() - mtimeMs) < staleMs) return
    renameSync(lock, aside)
    // If another process removed it first and took the lock, it gets its own back.
    if (statSync(aside).mtimeMs !== mtimeMs) linkSync(aside, lock)
  } catch {
    // It was released meanwhile.
  } finally {
    rmSync(aside, { force: true })
  }
}

function contentOf(lock: string): string | undefined {
  try {
    return readFileSync(lock, 'utf8')
  } catch {
    return undefined
  }
}
