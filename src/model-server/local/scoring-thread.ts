import { parentPort, workerData } from 'node:worker_threads'
import { answerTasks, type Task, type TaskAnswer } from './answer-tasks.ts'
import { openEncoder } from './embed.ts'
import { rememberShort } from './remember-short.ts'
import type { FromThread, ToThread } from './thread-pool.ts'
import { readWeights } from './weights.ts'

/** The body of a thread: holds its own encoder, because the calls of the encoder hold their thread. */
const { directory } = workerData as { directory: string }
const tell = (message: FromThread<TaskAnswer>) => parentPort?.postMessage(message)

const [{ weights }, encode] = await Promise.all([readWeights(directory), openEncoder()])
const embed = rememberShort(encode)
parentPort?.on('message', async ({ items }: ToThread<Task>) => {
  try {
    tell({ answers: await answerTasks(weights, embed, items) })
  } catch (error) {
    // The message of the encoder's errors quotes shapes and names, never the text.
    tell({ error: (error as Error).message })
  }
})
tell({ isReady: true })
