import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

/** Prints lines, or writes them to a new file that only who runs the command can read. */
export async function printLines(lines: AsyncIterable<string>, file?: string): Promise<void> {
  if (file !== undefined) return pipeline(lines, createWriteStream(file, { mode: 0o600, flags: 'wx' }))
  await pipeline(lines, process.stdout, { end: false }).catch(unlessNobodyReads)
}

/** As after `| head`. */
function unlessNobodyReads(error: NodeJS.ErrnoException) {
  if (error.code !== 'EPIPE') throw error
}
