import { parentPort, workerData } from 'node:worker_threads'
import { startFlatModel } from '../../../../tooling/models/stub-models.ts'

// A thread of its own: the run itself may be busy, and the posts must not wait for it.
const { url } = await startFlatModel(0.001, String(workerData))
parentPort?.postMessage(url)
