import { fork } from 'node:child_process'
import { join } from 'node:path'
import { showProgress } from '../../../src/bin/progress.ts'
import { embedTexts, partsOf } from '../../eval/embeddings/embed-texts.ts'
import { type DataOptions, gatherBenchmarkRows, gatherRows } from '../data/gather-rows.ts'
import { addParts, partOf } from '../fitting/build-model.ts'
import { jobs } from './benchmark-jobs.ts'
import type { FromJob } from './benchmark-process.ts'

const processes = 2

/** Trains once per job, in two processes, and returns the scores of the texts that each job was measured on. */
export async function crossValidate(options: DataOptions): Promise<Map<string, number[][]>> {
  // Embeds all texts before the jobs, which would otherwise embed the same texts in parallel.
  const rows = addParts([...gatherRows(options), ...gatherBenchmarkRows(options.data)])
  const measured = jobs.flatMap((job) => job.texts(options.data)).flatMap(partsOf)
  await embedTexts([...rows.map(({ text }) => partOf(text)), ...measured])
  const progress = showProgress('training for the benchmarks, epoch')
  const epochs = new Map<string, number>()
  const results = new Map<string, number[][]>()
  const receive = (message: FromJob) => {
    if ('scores' in message) return void results.set(message.name, message.scores)
    epochs.set(message.name, message.done)
    const done = [...epochs.values()].reduce((sum, count) => sum + count, 0)
    progress(done, message.total * jobs.length)
  }
  const shares = Array.from({ length: processes }, (_, number) =>
    jobs.filter((_, index) => index % processes === number),
  )
  await Promise.all(
    shares.map((share) =>
      runJobs(
        share.map(({ name }) => name),
        options,
        receive,
      ),
    ),
  )
  return results
}

function runJobs(names: readonly string[], options: DataOptions, receive: (message: FromJob) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = fork(join(import.meta.dirname, 'benchmark-process.ts'), [names.join(), JSON.stringify(options)])
    child.on('message', receive)
    child.on('error', reject)
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`The training for ${names.join(', ')} exited with ${code}.`)),
    )
  })
}
