import { parentPort, workerData } from 'node:worker_threads'
import { makeBatch, type SeedPlan } from './batch.ts'
import { readPlaces } from './places.ts'
import { makeVocabulary } from './vocabulary.ts'

const plan = workerData as SeedPlan
if (!parentPort) throw new Error('this module must run in a worker thread of the seed script')
const port = parentPort
const encoder = new TextEncoder()
const material = { vocabulary: makeVocabulary(plan.seed), places: readPlaces() }
port.on('message', (number: number) => {
  const { listings, ...lines } = makeBatch(plan, number, material)
  // Encoded here and moved, not copied: the main thread has the least time.
  const [posts, entries, signatures] = [lines.posts, lines.entries, lines.signatures].map((text) =>
    encoder.encode(text),
  )
  const batch = { posts, entries, signatures, listings }
  port.postMessage(
    { number, batch },
    [posts, entries, signatures].map((bytes) => (bytes as Uint8Array<ArrayBuffer>).buffer),
  )
})
