import { parentPort, workerData } from 'node:worker_threads'
import { makeBatch, type SeedPlan } from './batch.ts'
import { readPlaces } from './places.ts'
import { makeVocabulary } from './vocabulary.ts'

const plan = workerData as SeedPlan
if (!parentPort) throw new Error('this module must run in a worker thread of the seed script')
const port = parentPort
const material = { vocabulary: makeVocabulary(plan.seed), places: readPlaces() }
port.on('message', (number: number) => port.postMessage({ number, batch: makeBatch(plan, number, material) }))
