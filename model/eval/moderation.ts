import { resolve } from 'node:path'
import { flag, readOptions, text, textOr } from '../../tooling/script-options.ts'
import { repoDir } from '../../tooling/services/state.ts'
import { shuffle } from './data/choose-posts.ts'
import { type EvalPost, type EvalSet, readSet } from './data/read-set.ts'
import { quantile } from './metrics.ts'
import { type JudgeIdentity, openJudge } from './models/open-judge.ts'
import {
  type EvalModel,
  type Observed,
  observePosts,
  onlyStage,
  openModel,
  openServedModel,
  type StageName,
  silentModel,
  stageNames,
} from './models/open-model.ts'
import { findFalls, shortfalls } from './scoreboard/check-scoreboard.ts'
import { measureCurves } from './scoreboard/curves.ts'
import { observeLeftOut } from './scoreboard/left-out.ts'
import { measureStage, type StageFigures } from './scoreboard/measure.ts'
import { doesNotCover, measureGroups, measureScenarios } from './scoreboard/scenarios.ts'
import {
  basisOf,
  type Figures,
  type PartFigures,
  readScoreboard,
  type Scoreboard,
  type Section,
  sectionDifferences,
} from './scoreboard/scoreboard.ts'
import { categoryTable, mainTable, percent, timeWords } from './scoreboard/tables.ts'
import { writeFigures } from './scoreboard/write-document.ts'
import { Misuse } from './usage.ts'

const partNames = ['sealed', 'open', 'all'] as const
type PartName = (typeof partNames)[number]

type Options = {
  stage: StageName
  set: string
  part: PartName
  model?: string | undefined
  check: boolean
  write: boolean
}

/** Measures one stage, or all stages together, on the committed set. */
export async function evaluateModeration(args: string[]): Promise<void> {
  const options = moderationOptions(args)
  const set = readSet(options.set)
  const judge = options.stage === 'rules' || options.stage === 'local' || options.check ? null : openJudge(process.env)
  if (options.stage === 'judge' && !judge)
    throw new Misuse('No judge is configured. Set JUDGE_URL to the address of an OpenAI-compatible server.')
  await using model = await modelFor(options)
  const posts = set.posts.filter(({ sealed }) => options.part === 'all' || sealed === (options.part === 'sealed'))
  const observed = await observePosts(posts, { model, judge: judge?.judge, label: options.stage })
  const figures = measureStage(ofStage(observed, options.stage))
  printFigures(options, set, model, observed, figures)
  if (options.check) check(set, model, figures)
  if (options.write) {
    const timing = await measureTime(posts)
    if (timing) console.log(`\n${timeWords(timing)}`)
    const fresh = scoreboardOf({ set, model, observed, judge: judge?.identity ?? null, timing })
    writeFigures(fresh, { ...basisOf(model), set_hash: set.hash })
  }
}

/** With `check`, cached results are not used. */
async function modelFor({ stage, model, check }: Options): Promise<EvalModel> {
  if (stage === 'rules' || stage === 'judge') return silentModel()
  return check ? openServedModel(model) : openModel(model)
}

function moderationOptions(args: string[]): Options {
  const values = readOptions(args, {
    stage: textOr('pipeline'),
    set: textOr('model/data'),
    part: text(partNames.join('|')),
    model: text('FOLDER'),
    check: flag,
    write: flag,
  })
  const { stage, set, part = values.check ? 'sealed' : 'all', model, check, write } = values
  if (!isOneOf(stageNames, stage)) throw new Misuse(`--stage must be one of ${stageNames.join(', ')}.`)
  if (!isOneOf(partNames, part)) throw new Misuse(`--part must be one of ${partNames.join(', ')}.`)
  if (check && write) throw new Misuse('--check and --write cannot be combined.')
  if (check && (stage !== 'pipeline' || part !== 'sealed'))
    throw new Misuse('--check compares only the pipeline and the sealed part with the scoreboard.')
  if (write && (stage !== 'pipeline' || part !== 'all' || model !== undefined))
    throw new Misuse('--write measures the shipped pipeline on the whole set: omit --stage, --part and --model.')
  return { stage, set: resolve(repoDir, set), part, model, check, write }
}

const isOneOf = <Name extends string>(names: readonly Name[], name: string): name is Name =>
  (names as readonly string[]).includes(name)

const ofStage = (observed: readonly Observed<EvalPost>[], stage: StageName) =>
  observed.map(({ post, opinion }) => ({ post, opinion: onlyStage(opinion, stage) }))

function printFigures(
  { stage, part }: Options,
  set: EvalSet,
  model: EvalModel,
  observed: readonly Observed<EvalPost>[],
  figures: StageFigures,
): void {
  const { policy_version, thresholds_version } = basisOf(model)
  console.log(
    `${stage}, ${part === 'all' ? 'all posts' : `the ${part} part`}: ${observed.length} of ${set.posts.length} posts (set ${set.hash})`,
  )
  console.log(`policy ${policy_version}, thresholds ${thresholds_version}, model ${model.name} ${model.version}\n`)
  const hasBoth = stage === 'pipeline' && observed.some(({ opinion }) => opinion.judge !== 'absent')
  const columns: [string, Figures][] = [
    ...(hasBoth ? [['without judge', measureStage(withoutJudge(observed))] as [string, Figures]] : []),
    [hasBoth ? 'with judge' : stage, figures],
  ]
  console.log(`${mainTable(columns)}\n\n${categoryTable(figures.categories)}`)
  if (stage === 'pipeline') console.log(`\n${committedAttacks({ ...basisOf(model), set_hash: set.hash })}`)
}

/** Running the attacks takes minutes, so this shows the committed figures and what has changed since. */
function committedAttacks(now: Section): string {
  const attacks = readScoreboard()?.attacks
  if (!attacks) return 'attacks: no committed figures; `npm run eval -- attacks --write` measures them'
  const changed = sectionDifferences(attacks, now)
  const since = changed.length > 0 ? `; changed since then: ${changed.join(', ')}` : ''
  return (
    `attacks, as committed: published without a judge ${percent(attacks.published_without_judge.share)}, with a judge that ` +
    `accepts everything ${percent(attacks.published_with_accepting_judge.share)}${since}`
  )
}

function check(set: EvalSet, model: EvalModel, figures: StageFigures): void {
  const falls = findFalls(readScoreboard(), { ...basisOf(model), set, figures })
  for (const fall of falls) console.error(`✗ ${fall}`)
  if (falls.length > 0) process.exitCode = 1
  else console.log('\nNo regressions: every main figure is within the committed interval.')
  for (const one of shortfalls(figures)) console.log(`Misses its bar: ${one}.`)
}

/** The number of posts to time, one after another, as in production. */
const timedPosts = 100

async function measureTime(posts: readonly EvalPost[]): Promise<Scoreboard['timing']> {
  await using model = await openServedModel()
  const durations: number[] = []
  for (const post of shuffle(posts, 1).slice(0, timedPosts)) {
    const startedAt = performance.now()
    await observePosts([post], { model })
    durations.push(performance.now() - startedAt)
  }
  durations.sort((one, other) => one - other)
  return {
    posts: durations.length,
    milliseconds_p50: quantile(durations, 0.5),
    milliseconds_p95: quantile(durations, 0.95),
  }
}

type Measured = {
  set: EvalSet
  model: EvalModel
  observed: readonly Observed<EvalPost>[]
  judge: JudgeIdentity | null
  timing: Scoreboard['timing']
}

function scoreboardOf({ set, model, observed, judge, timing }: Measured) {
  const sealed = observed.filter(({ post }) => post.sealed)
  return {
    ...basisOf(model),
    set: { posts: set.posts.length, sealed: sealed.length, hash: set.hash },
    judge,
    sealed: partFigures(sealed, judge !== null),
    open: partFigures(
      observed.filter(({ post }) => !post.sealed),
      judge !== null,
    ),
    sealed_scenarios: measureScenarios(withoutJudge(sealed)),
    left_out: measureLeftOut(set.posts),
    categories: measureStage(withoutJudge(sealed)).categories,
    does_not_cover: doesNotCover({ hasJudge: judge !== null }),
    timing,
  }
}

function measureLeftOut(posts: readonly EvalPost[]): Scoreboard['left_out'] {
  const observed = observeLeftOut(posts)
  const authors = new Set(observed.map(({ post }) => post.author))
  return {
    posts: observed.length,
    authors: authors.size,
    scenarios: measureScenarios(observed),
    groups: measureGroups(observed),
    curves: measureCurves(observed),
  }
}

const withoutJudge = (observed: readonly Observed<EvalPost>[]) =>
  observed.map(({ post, opinion }) => ({ post, opinion: { ...opinion, judge: 'absent' as const } }))

function partFigures(observed: readonly Observed<EvalPost>[], hasJudge: boolean): PartFigures {
  return {
    rules_alone: overall(measureStage(ofStage(observed, 'rules'))),
    local_alone: overall(measureStage(ofStage(observed, 'local'))),
    pipeline_without_judge: overall(measureStage(withoutJudge(observed))),
    ...(hasJudge && { pipeline_with_judge: overall(measureStage(observed)) }),
  }
}

function overall({ categories: _, ...figures }: StageFigures): Figures {
  return figures
}
