import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repoDir } from '../../../tooling/services/state.ts'
import { Misuse } from '../usage.ts'
import { findBenchmarks } from './benchmarks.ts'
import { shortfalls } from './check-scoreboard.ts'
import { type Basis, mergeScoreboard, readScoreboard, type Scoreboard, writeScoreboard } from './scoreboard.ts'
import {
  attackTable,
  benchmarkTable,
  categoryTable,
  columnsOf,
  groupTable,
  mainTable,
  obfuscationTable,
  percent,
  publishedTable,
  publishedXstestTable,
  scenarioTable,
  timeWords,
} from './tables.ts'

const path = join(repoDir, 'docs/moderation.md')
const place = /(<!-- figures: written by npm run eval -->\n)[\s\S]*?(<!-- end of figures -->)/

/** Writes the figures to their place in docs/moderation.md. */
export function writeDocument(scoreboard: Scoreboard): void {
  const text = readFileSync(path, 'utf8')
  if (!place.test(text)) throw new Error('docs/moderation.md has no marker for the figures.')
  // A function, because a replacement string would interpret `$`.
  writeFileSync(
    path,
    text.replace(place, (_, begin: string, end: string) => `${begin}\n${figuresDocument(scoreboard)}\n\n${end}`),
  )
}

/** All tables of the document. */
export function figuresDocument(scoreboard: Scoreboard): string {
  const { model, set, attacks, obfuscation, benchmarks, timing } = scoreboard
  const parts = [
    `Policy ${scoreboard.policy_version}; local model ${model.name} ${model.version}; thresholds ${scoreboard.thresholds_version}; rules and table ${scoreboard.rules_version}; set ${set.hash}, ${set.posts} posts, ${set.sealed} of them sealed.`,
    '### The sealed third',
    `In brackets the 95 % interval. These figures count: nobody looked at these posts while rules, weights and thresholds were made.`,
    mainTable(columnsOf(scoreboard.sealed)),
    ...shortfalls(scoreboard.sealed.pipeline_without_judge).map((one) => `**Short of its bar**, ${one}.`),
    'By who posts and what judge there is:',
    scenarioTable(scoreboard.sealed_scenarios),
    'By category, rules and local model together, the violating posts of one category among all that break no rule. Precision and recall at the thresholds from which a stage names the category; *published* by the whole table without a judge.',
    categoryTable(scoreboard.categories),
    '### Leaving one author out',
    `The ${scoreboard.left_out.posts} open posts of ${scoreboard.left_out.authors} authors, each judged by a model that has seen no post of its author. This is what an unknown author may expect.`,
    scenarioTable(scoreboard.left_out.scenarios),
    'New accounts without a judge, in groups:',
    groupTable(scoreboard.left_out.groups),
    '### The open part',
    'Better than the truth, since it was looked at. A gap to the table above would show how much.',
    mainTable(columnsOf(scoreboard.open)),
    ...(attacks ? attackWords(attacks) : []),
    ...(obfuscation ? ['### Disguised text', obfuscationWords, obfuscationTable(obfuscation.figures)] : []),
    ...(benchmarks.length > 0
      ? [
          '### Public sets',
          benchmarkWords,
          benchmarkTable(benchmarks),
          publishedWords,
          publishedTable(),
          xstestWords,
          publishedXstestTable(),
        ]
      : []),
    '### What the figures do not cover',
    scoreboard.does_not_cover.map((line) => `- ${line}`).join('\n'),
    timing ? timeWords(timing) : '',
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

const attackWords = (attacks: NonNullable<Scoreboard['attacks']>) => [
  '### Attacks',
  `Twelve wrappers around the same ${attacks.posts} violating posts, ${attacks.sealed} of them sealed; the others were trained on, which flatters the local model. Published without a judge: ${percent(attacks.published_without_judge.share)}; with a judge that was taken over and accepts everything: ${percent(attacks.published_with_accepting_judge.share)}. Whatever rules or local model see is never published on a judge’s word, and nothing is published when the judge fails: the run ends with an error if one is.`,
  attackTable(attacks.wrappers),
]

const obfuscationWords =
  'Recall at the shipped thresholds. Before: the text as it was sent, read once as a whole. After: the canonical text, read as a whole, by sentences and by windows. Most posts of the committed set were trained on; the other sets were not.'
const benchmarkWords =
  'Texts that the measured weights had not seen. In cross-validation, weights learnt from the other folds judge each text; for “any label” a gate learnt from the other folds is weighed in, as the shipped model does. None of the sets is committed; `npm run train -- benchmarks` measures them where MODERATION_DATA_DIR has them.'
const publishedWords =
  'What others publish for OpenAI’s 1,680 posts, without training on them. Ours is comparable where it says “none of it trained on”.'
const xstestWords =
  'What others publish for XSTest. Ours, in the table above, reads the requests alone; whether theirs also read answers to them, they do not say.'

/**
 * Adds figures, and the committed ones on public sets, to generated/moderation-scoreboard.json, and writes all of them
 * to docs/moderation.md.
 */
export function writeFigures(fresh: Partial<Scoreboard>, basis: Basis & { set_hash: string }): void {
  const merged = mergeScoreboard({ ...fresh, benchmarks: findBenchmarks() }, readScoreboard(), basis)
  if (!merged) throw new Misuse('No scoreboard matches this model and set. Run `npm run eval -- moderation --write`.')
  writeScoreboard(merged.scoreboard)
  writeDocument(merged.scoreboard)
  console.log('\nWritten: generated/moderation-scoreboard.json and docs/moderation.md.')
  for (const name of merged.dropped)
    console.log(`Dropped because out of date: ${name}. Run \`npm run eval -- ${name} --write\`.`)
}
