import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { LocalAnswer, LocalModel } from './local-model.ts'
import { openOnnxModel } from './onnx-model.ts'
import type { Runtime } from './onnx-runtime.ts'
import { openThreadPool } from './thread-pool.ts'
import { readWeights } from './weights.ts'

const shippedWeights = join(import.meta.dirname, '../../../models/local')

/** Texts of one question to a thread: few, so that a large call uses all threads and small ones need not wait long. */
const textsAtOnce = 8

type OpenOptions = {
  directory?: string
  /** For our own weights only. */
  threads?: number
  /** For our own weights only: told when a thread ends or does not start. */
  onFault?: (fault: Error) => void
  /** For a model in ONNX only: the one that is installed when left out. */
  runtime?: Runtime
}

/** Opens the model in `directory`, `models/local` of the project when left out: `model.onnx` if it has one, or else weights of ours. */
export async function openLocalModel(options: OpenOptions = {}): Promise<LocalModel> {
  const { directory = shippedWeights, threads = Math.max(1, Math.floor(availableParallelism() / 2)), runtime } = options
  // No scoring thread: onnxruntime-node computes in native threads of its own and leaves this one free.
  if (existsSync(join(directory, 'model.onnx'))) return openOnnxModel(directory, runtime)
  const { name, version } = await readWeights(directory)
  const file = new URL('./scoring-thread.ts', import.meta.url)
  const pool = await openThreadPool(threads, () => new Worker(file, { workerData: { directory } }), {
    onFault: options.onFault,
  })
  return {
    name,
    version,
    score: async (texts, signal) => {
      const questions: Promise<LocalAnswer[]>[] = []
      for (let start = 0; start < texts.length; start += textsAtOnce)
        questions.push(pool.ask(texts.slice(start, start + textsAtOnce), signal))
      return (await Promise.all(questions)).flat()
    },
    isWell: () => pool.isWell(),
    [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose](),
  }
}
