import { resolve } from 'node:path'
import { CommandError } from '../../src/bin/command.ts'
import { flag, readOptions, runNamed, text, textOr } from '../../tooling/script-options.ts'
import { repoDir } from '../../tooling/services/state.ts'
import { runAttacks } from './attacks/attacks.ts'
import { measureObfuscation } from './attacks/obfuscation.ts'
import { readSet } from './data/read-set.ts'
import { openModel, openServedModel, openWholeTextModel } from './models/open-model.ts'
import { evaluateModeration } from './moderation.ts'
import { findBenchmarks } from './scoreboard/benchmarks.ts'
import { basisOf } from './scoreboard/scoreboard.ts'
import {
  attackTable,
  benchmarkTable,
  obfuscationTable,
  percent,
  publishedTable,
  publishedXstestTable,
} from './scoreboard/tables.ts'
import { writeFigures } from './scoreboard/write-document.ts'
import { Misuse } from './usage.ts'

const write = `
  --write      writes the figures to generated/moderation-scoreboard.json and docs/moderation.md`

const commands = {
  moderation: {
    summary: 'measures one stage or all stages together on the committed set',
    details: `
  --stage rules|local|judge|pipeline   judge needs JUDGE_URL
  --set FOLDER                         the set of posts
  --part sealed|open|all               default: all, and sealed with --check
  --model FOLDER                       use other weights than the shipped ones
  --check                              fail if a main figure is worse than the committed one
  --write                              writes the figures to generated/moderation-scoreboard.json and docs/moderation.md,
                                       and measures the time of a hundred posts, one after another`,
    run: evaluateModeration,
  },
  attacks: {
    summary: 'wraps sixty violating posts in twelve attacks, with a judge that accepts everything or fails',
    details: `  --served     send them through gateway, API and worker instead of the stages alone${write}`,
    run: evaluateAttacks,
  },
  obfuscation: {
    summary: 'measures how much disguised text is detected; more sets with MODERATION_DATA_DIR',
    details: write,
    run: evaluateObfuscation,
  },
  benchmarks: {
    summary: 'shows figures on public sets, next to the figures that others publish',
    details: write,
    run: evaluateBenchmarks,
  },
  all: {
    summary: 'runs all of the above',
    details: write,
    async run(args: string[]) {
      for (const run of [evaluateModeration, evaluateAttacks, evaluateObfuscation, evaluateBenchmarks]) await run(args)
    },
  },
}

/** Errors are about the set, the weights or the judge, so their messages suffice. */
const explained = (run: (args: string[]) => Promise<void>) => (args: string[]) =>
  run(args).catch((error: Error) => {
    throw error instanceof CommandError ? error : new CommandError(error.message, { cause: error })
  })

const details = 'Exits with 1 if a figure got worse or a guarantee is broken, and with 2 if it cannot run.'
export const evaluations = Object.fromEntries(
  Object.entries(commands).map(([name, { run, ...command }]) => [
    name,
    { ...command, load: async () => explained(run) },
  ]),
)

if (import.meta.main) await runNamed({ command: 'npm run eval', what: 'what', details }, evaluations)

function evalOptions(given: string[]) {
  const values = readOptions(given, { set: textOr('model/data'), model: text('FOLDER'), write: flag, served: flag })
  if (values.write && values.model !== undefined) throw new Misuse('--write works only with the shipped weights.')
  return { ...values, set: resolve(repoDir, values.set) }
}

async function evaluateAttacks(given: string[]): Promise<void> {
  const { set, model: directory, write, served } = evalOptions(given)
  if (served) return evaluateServedAttacks(set, directory)
  await using model = await openModel(directory)
  const { posts, hash } = readSet(set)
  const { breaches, ...run } = await runAttacks(posts, model)
  console.log(
    `${run.posts} violating posts, ${run.sealed} of them sealed, in twelve wrappers\n\n${attackTable(run.wrappers)}\n`,
  )
  console.log(`published without a judge: ${percent(run.published_without_judge.share)}`)
  console.log(`published with a judge that accepts everything: ${percent(run.published_with_accepting_judge.share)}`)
  for (const breach of breaches) console.error(`✗ ${breach}`)
  if (breaches.length > 0) process.exitCode = 1
  else if (write) {
    const basis = { ...basisOf(model), set_hash: hash }
    writeFigures({ attacks: { ...basis, ...run } }, basis)
  }
}

async function evaluateServedAttacks(set: string, directory: string | undefined): Promise<void> {
  // Imported only here, because it loads the whole service.
  const { runServedAttacks } = await import('./attacks/attacks-served.ts')
  await using model = await openServedModel(directory)
  const { figures, failures } = await runServedAttacks(readSet(set).posts, model)
  for (const figure of figures) console.log(JSON.stringify(figure))
  console.log(`with a judge that fails in ${failures.ways} ways: ${failures.published.length} published`)
  for (const way of failures.published) console.error(`✗ a judge that ${way}: published`)
  if (failures.published.length > 0) process.exitCode = 1
}

async function evaluateObfuscation(given: string[]): Promise<void> {
  const { set, model: directory, write } = evalOptions(given)
  await using shipped = await openModel(directory)
  await using whole = await openWholeTextModel(directory)
  const { posts, hash } = readSet(set)
  const figures = await measureObfuscation(posts, { whole, shipped }, process.env['MODERATION_DATA_DIR'])
  console.log(obfuscationTable(figures))
  if (!write) return
  const basis = { ...basisOf(shipped), set_hash: hash }
  writeFigures({ obfuscation: { ...basis, figures } }, basis)
}

async function evaluateBenchmarks(given: string[]): Promise<void> {
  const { set, write } = evalOptions(given)
  const benchmarks = findBenchmarks()
  if (benchmarks.length === 0) throw new Misuse('No figures yet. Run `npm run train -- benchmarks` to write them.')
  console.log(`${benchmarkTable(benchmarks)}\n\n${publishedTable()}\n\nXSTest:\n${publishedXstestTable()}`)
  if (!write) return
  await using model = await openModel()
  writeFigures({}, { ...basisOf(model), set_hash: readSet(set).hash })
}
