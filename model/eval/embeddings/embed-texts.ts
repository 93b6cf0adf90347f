import { fork } from 'node:child_process'
import { join } from 'node:path'
import { showProgress } from '../../../src/bin/progress.ts'
import { prepareText } from '../../server/local/features/prepare-text.ts'
import { splitWindows } from '../../server/local/features/windows.ts'
import { keyOfText, readCache } from './embedding-cache.ts'

/** A text is embedded once, however often it occurs. */
export type Vectors = { of(text: string): Float32Array }

/** Texts per batch. Few, so that a killed run loses only seconds of work. */
const batchSize = 32

/** The vectors of all these texts. Two processes compute those that are not in the cache, and add them to it. */
export async function embedTexts(texts: readonly string[], processes = 2): Promise<Vectors> {
  let cache = readCache()
  const missing = [...new Set(texts)].filter((text) => !cache.has(keyOfText(text)))
  if (missing.length > 0) {
    await embedMissing(missing, processes)
    cache = readCache()
  }
  return {
    of: (text) => {
      const vector = cache.get(keyOfText(text))
      if (!vector) throw new Error('A text was not embedded.')
      return vector
    },
  }
}

async function embedMissing(missing: string[], processes: number): Promise<void> {
  // Groups texts of similar length, because the encoder pads shorter texts. The longest come last.
  missing.sort((one, other) => one.length - other.length)
  const progress = showProgress('embedding')
  let next = 0
  let done = 0
  const runOne = (number: number) =>
    new Promise<void>((resolve, reject) => {
      const child = fork(join(import.meta.dirname, 'embed-process.ts'), [`${process.pid}-${number}.bin`])
      const handOut = () => {
        if (next >= missing.length) return void child.disconnect()
        child.send(missing.slice(next, next + batchSize))
        next += batchSize
      }
      child.on('message', (count: number) => {
        done += count
        progress(done, missing.length)
        handOut()
      })
      child.on('error', reject)
      child.on('exit', (code) =>
        code === 0 ? resolve() : reject(new Error(`An embedding process exited with ${code}.`)),
      )
      handOut()
    })
  await Promise.all(Array.from({ length: processes }, (_, number) => runOne(number)))
}

/** The parts of a text that the shipped model would read. */
export const partsOf = (text: string): string[] => splitWindows(prepareText(text)).parts
