import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

const mark = 'step: '

/** In a script for psql: tells the caller that it has come so far. */
export const tellStep = (name: string) => `\\warn '${mark}${name}'\n`

/** Runs a script that is made while it runs, COPY with its data among it, in one session. Stops at the first error. */
export async function runPsql(
  url: string,
  script: AsyncIterable<string>,
  onStep: (name: string) => void,
): Promise<void> {
  const child = spawn('psql', ['-X', '-q', '-v', 'ON_ERROR_STOP=1', url], { stdio: ['pipe', 'ignore', 'pipe'] })
  const errors: string[] = []
  const lines = createInterface({ input: child.stderr })
  lines.on('line', (line) => (line.startsWith(mark) ? onStep(line.slice(mark.length)) : errors.push(line)))
  const ended = once(child, 'close').catch((cause) => {
    throw new Error('psql cannot be started. Run scripts/setup, or put PostgreSQL’s programs on the PATH.', { cause })
  })
  // When psql has stopped, its own words say more than a pipe that is closed.
  const [written, closed] = await Promise.allSettled([pipeline(Readable.from(script), child.stdin), ended])
  if (closed.status === 'rejected') throw closed.reason
  if (closed.value[0] !== 0) throw new Error(`PostgreSQL refused what was to be stored: ${errors.join('\n')}`)
  if (written.status === 'rejected') throw written.reason
}
