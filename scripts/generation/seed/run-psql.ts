import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Runs a script that is generated while it runs, including COPY data, in one session. Stops at the first error. */
export async function runPsql(url: string, script: AsyncIterable<string | Uint8Array>): Promise<void> {
  const child = spawn('psql', ['-X', '-q', '-v', 'ON_ERROR_STOP=1', url], { stdio: ['pipe', 'ignore', 'pipe'] })
  const errors: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => errors.push(line))
  const ended = once(child, 'close').catch((cause) => {
    throw new Error('psql could not be started. Run scripts/setup, or add PostgreSQL’s programs to the PATH.', {
      cause,
    })
  })
  // If psql has stopped, its own error message is more useful than the error of the closed pipe.
  const [written, closed] = await Promise.allSettled([pipeline(Readable.from(script), child.stdin), ended])
  if (closed.status === 'rejected') throw closed.reason
  if (closed.value[0] !== 0) throw new Error(`PostgreSQL rejected the data: ${errors.join('\n')}`)
  if (written.status === 'rejected') throw written.reason
}
