import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
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

const help = `Usage: npm run eval -- <what> [options]

  moderation   measures one stage or all stages together on the committed set
    --stage rules|local|judge|pipeline   default: pipeline; judge needs JUDGE_URL
    --set FOLDER                         default: model/data
    --part sealed|open|all               default: all
    --model FOLDER                       use other weights than the shipped ones
    --check                              fail if a main figure is worse than the committed one
  attacks      wraps sixty violating posts in twelve attacks, with a judge that accepts everything or fails
    --served                             send them through gateway, API and worker instead of the stages alone
  obfuscation  measures how much disguised text is detected; more sets with MODERATION_DATA_DIR
  benchmarks   shows figures on public sets, next to the figures that others publish
  all          runs all of the above

  --write      writes the figures to generated/moderation-scoreboard.json and docs/moderation.md; moderation then also
               measures the time of a hundred posts, one after another

Exits with 1 if a figure got worse or a guarantee is broken, and with 2 if it cannot run.`

const commands: Record<string, (args: string[]) => Promise<void>> = {
  moderation: evaluateModeration,
  attacks: evaluateAttacks,
  obfuscation: evaluateObfuscation,
  benchmarks: evaluateBenchmarks,
  async all(args) {
    for (const run of [evaluateModeration, evaluateAttacks, evaluateObfuscation, evaluateBenchmarks]) await run(args)
  },
}

const [name = '', ...args] = process.argv.slice(2)
const command = commands[name]
if (!command || args.includes('--help')) {
  console.log(help)
  if (!command && name !== '--help') process.exitCode = 2
} else
  await command(args).catch((error: Error) => {
    console.error(error.message)
    process.exitCode = error instanceof Misuse || isBadOption(error) ? 2 : 1
  })

function isBadOption(error: Error): boolean {
  return 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
}

function readOptions(given: string[]) {
  const { values } = parseArgs({
    args: given,
    options: {
      set: { type: 'string', default: 'model/data' },
      model: { type: 'string' },
      write: { type: 'boolean', default: false },
      served: { type: 'boolean', default: false },
    },
  })
  if (values.write && values.model !== undefined) throw new Misuse('--write works only with the shipped weights.')
  return { ...values, set: resolve(repoDir, values.set) }
}

async function evaluateAttacks(given: string[]): Promise<void> {
  const { set, model: directory, write, served } = readOptions(given)
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
  const { set, model: directory, write } = readOptions(given)
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
  const { set, write } = readOptions(given)
  const benchmarks = findBenchmarks()
  if (benchmarks.length === 0) throw new Misuse('No figures yet. Run `npm run train -- benchmarks` to write them.')
  console.log(`${benchmarkTable(benchmarks)}\n\n${publishedTable()}\n\nXSTest:\n${publishedXstestTable()}`)
  if (!write) return
  await using model = await openModel()
  writeFigures({}, { ...basisOf(model), set_hash: readSet(set).hash })
}
