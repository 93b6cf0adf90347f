import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { countWindows } from '../../../src/text-analysis/count-windows.ts'
import { type Runtime, turnTelemetryOff } from './encoder/onnx-runtime.ts'
import { answerScored, type ReadText } from './join-scores.ts'
import type { LocalAnswer, LocalModel } from './local-model.ts'
import { openOnnxModel } from './onnx-model.ts'
import type { ScoredPart } from './scoring/score.ts'
import { readJoining } from './scoring/weights.ts'
import { partsAtOnce, type Task, type TaskAnswer } from './threads/tasks.ts'
import { openThreadPool, type ThreadPool } from './threads/thread-pool.ts'

const shippedWeights = join(import.meta.dirname, '../../weights/local')

/** Texts per request to a thread. Few, so that a large call uses all threads and small calls do not wait long. */
const textsAtOnce = 8

type OpenOptions = {
  directory?: string
  /** For our own weights only. */
  threads?: number
  /** For our own weights only: called when a thread exits or fails to start. */
  onFault?: (fault: Error) => void
  /** For ONNX models only: the runtime. Default: the installed one. */
  runtime?: Runtime
}

/**
 * Opens the model in `directory` (default: `model/weights/local`): `model.onnx` if it exists, otherwise our own
 * weights.
 */
export async function openLocalModel(options: OpenOptions = {}): Promise<LocalModel> {
  turnTelemetryOff()
  const { directory = shippedWeights, threads = Math.max(1, Math.floor(availableParallelism() / 2)), runtime } = options
  // Needs no scoring thread, because onnxruntime-node computes in its own native threads.
  if (existsSync(join(directory, 'model.onnx'))) return openOnnxModel(directory, runtime)
  // The threads read the rest. Beside the weights, they load the tables of languages: 200 MB that this one does without.
  const { name, version, joining } = await readJoining(directory)
  const file = new URL('./threads/scoring-thread.ts', import.meta.url)
  const pool: Pool = await openThreadPool(threads, () => new Worker(file, { workerData: { directory } }), {
    onFault: options.onFault,
  })
  return {
    name,
    version,
    score: async (texts, signal) => {
      const questions: Promise<LocalAnswer[]>[] = []
      for (let start = 0; start < texts.length; start += textsAtOnce)
        questions.push(askAbout(pool, joining, texts.slice(start, start + textsAtOnce), signal))
      return (await Promise.all(questions)).flat()
    },
    isWell: () => pool.isWell(),
    progress: () => pool.progress(),
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}

type Pool = ThreadPool<Task, TaskAnswer>
type Joining = Parameters<typeof answerScored>[0]

/** Texts that are too long for one request to a thread are scored part by part, after the short ones. */
async function askAbout(pool: Pool, joining: Joining, texts: readonly string[], signal?: AbortSignal) {
  const windows = texts.reduce((sum, text) => sum + Math.min(countWindows(text), partsAtOnce), 0)
  const tasks = texts.map((text) => ({ text }))
  const answers = await pool.ask(tasks, { windows, signal })
  return Promise.all(
    answers.map(async (found): Promise<LocalAnswer> => {
      if ('answer' in found) return found.answer
      if ('read' in found) return answerScored(joining, found.read, await scoreInTurns(pool, found.read, signal))
      throw new Error('A model thread returned the result of another request.')
    }),
  )
}

/** Queues only one step at a time, at the end of the queue, so that requests take turns, whatever their length. */
async function scoreInTurns(pool: Pool, { parts }: ReadText, signal?: AbortSignal): Promise<ScoredPart[]> {
  const scored: ScoredPart[] = []
  for (let start = 0; start < parts.length; start += partsAtOnce) {
    const answers = await pool.ask(
      parts.slice(start, start + partsAtOnce).map((part) => ({ part })),
      { signal },
    )
    scored.push(...answers.flatMap((found) => ('scored' in found ? [found.scored] : [])))
  }
  return scored
}
