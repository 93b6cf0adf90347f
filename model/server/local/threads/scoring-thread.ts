import { parentPort, workerData } from 'node:worker_threads'
import { openEncoder } from '../encoder/compare.ts'
import { readWeights } from '../scoring/weights.ts'
import { cacheShortTexts } from '../short-text-cache.ts'
import { answerTasks } from './answer-tasks.ts'
import type { Task, TaskAnswer } from './tasks.ts'
import type { FromThread, ToThread } from './thread-pool.ts'

/** The code of a thread. Each thread has its own encoder, because encoder calls block their thread. */
const { directory } = workerData as { directory: string }
const tell = (message: FromThread<TaskAnswer>) => parentPort?.postMessage(message)

const { weights } = await readWeights(directory)
const encode = cacheShortTexts(await openEncoder(weights.kernel))
parentPort?.on('message', async ({ items }: ToThread<Task>) => {
  try {
    tell({ answers: await answerTasks(weights, encode, items) })
  } catch (error) {
    // The encoder's error messages contain shapes and names, never the text.
    tell({ error: (error as Error).message })
  }
})
tell({ isReady: true })
