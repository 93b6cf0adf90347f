import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join, resolve } from 'node:path'
import { CommandError, UsageError } from '../../src/bin/command.ts'
import { readOptions, runNamed, text, textOr, wholeNumber } from '../../tooling/script-options.ts'
import { repoDir } from '../../tooling/services/state.ts'
import { readSet } from '../eval/data/read-set.ts'
import { measureCurves } from '../eval/scoreboard/curves.ts'
import { observeLeftOut } from '../eval/scoreboard/left-out.ts'
import { curveTable } from '../eval/scoreboard/tables.ts'
import { exportFeatures } from './export-features.ts'
import { promoteModel } from './release/promote.ts'

const live = join(repoDir, 'model/weights/local')
const features = join(repoDir, '.broadside/features')
const seed = wholeNumber(1, { max: 2 ** 32 })

const commands = {
  export: {
    summary: 'writes the features and labels that training reads to .broadside/features',
    details: `  --data DIR          the third-party sets (default: MODERATION_DATA_DIR); without them the live categories stay
  --labels FILE       your own labels, one per line: {"text": …, "category": …|null, "violating": …, "weight"?: …}
  --seed N            random seed of the samples

The first run embeds about 70,000 texts, or 15,000 without third-party sets, at about 150 a second on two free cores. It
keeps the vectors in .broadside/embeddings.`,
    async run(args: string[]) {
      const preset = textOr(process.env['MODERATION_DATA_DIR'] ?? '')
      const { data, ...options } = readOptions(args, { data: preset, labels: text('FILE'), seed })
      await exportFeatures(features, { ...options, data: data === '' ? undefined : data })
    },
  },
  moderation: {
    summary: 'trains the local model on the exported features, and writes its weights and thresholds to a folder',
    details: '  --out DIR           the folder of the candidate\n  --seed N            random seed',
    async run(args: string[]) {
      const { out, ...options } = readOptions(args, { out: text('DIR'), seed })
      if (out === undefined || resolve(out) === live)
        throw new UsageError('Pass the folder of the candidate with --out. `promote` makes it live.')
      await runPython('moderation', resolve(out), options.seed)
      const { posts } = readSet(join(repoDir, 'model/data'))
      console.log(curveTable(measureCurves(observeLeftOut(posts, resolve(out))).no_judge))
    },
  },
  benchmarks: {
    summary: 'measures the model by cross-validation and on held-out sets, and writes benchmarks.json',
    details: '  --weights DIR       the weights, which get the file\n  --seed N            random seed',
    async run(args: string[]) {
      const { weights, ...options } = readOptions(args, { weights: textOr(live), seed })
      await runPython('benchmarks', resolve(weights), options.seed)
    },
  },
  promote: {
    summary:
      'replaces the live model and thresholds with a candidate, unless the candidate is worse on the sealed posts',
    details:
      '  --candidate DIR     the candidate\n  --live DIR          what it replaces\n  --set DIR           the posts',
    run: promoteModel,
  },
}

async function runPython(what: string, out: string, seed: number): Promise<void> {
  const script = join(import.meta.dirname, 'train.py')
  const words = [script, what, '--features', features, '--out', out, '--seed', String(seed)]
  const [code, signal] = await once(spawn('/usr/bin/python3', words, { stdio: 'inherit' }), 'exit')
  if (signal !== null) throw new CommandError(`The training was ended by ${signal}.`)
  if (code !== 0) throw new CommandError('The training failed. It needs Python with scikit-learn: scripts/setup.')
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
