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
  curveTable,
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

/** Writes the figures between the markers in docs/moderation.md. */
export function writeDocument(scoreboard: Scoreboard): void {
  const text = readFileSync(path, 'utf8')
  if (!place.test(text)) throw new Error('docs/moderation.md has no marker for the figures.')
  // A function, because a replacement string would interpret `$`.
  writeFileSync(
    path,
    text.replace(place, (_, begin: string, end: string) => `${begin}\n${figuresDocument(scoreboard)}\n\n${end}`),
  )
}

/** The generated part of the document. */
export function figuresDocument(scoreboard: Scoreboard): string {
  const { model, set, attacks, obfuscation, benchmarks, timing } = scoreboard
  const parts = [
    `Policy ${scoreboard.policy_version}; local model ${model.name} ${model.version}; thresholds ${scoreboard.thresholds_version}; rules and table ${scoreboard.rules_version}; set ${set.hash}, ${set.posts} posts, ${set.sealed} of them sealed.`,
    '### The sealed third',
    `The 95 % interval is in brackets. These figures count: rules, weights and thresholds were made without these posts. They were measured twice while the margin of the thresholds was changed.`,
    mainTable(columnsOf(scoreboard.sealed)),
    ...shortfalls(scoreboard.sealed.pipeline_without_judge).map((one) => `**Misses its bar:** ${one}.`),
    'By account and judge:',
    scenarioTable(scoreboard.sealed_scenarios),
    'By category, for rules and local model together: the violating posts of one category and all posts that break no rule. Precision and recall are measured at the thresholds from which a stage names the category. *Published* is the share that the whole table publishes without a judge.',
    categoryTable(scoreboard.categories),
    '### Leaving one author out',
    `The ${scoreboard.left_out.posts} open posts by ${scoreboard.left_out.authors} authors, each judged by a model trained without its author. This is what an unknown author can expect.`,
    scenarioTable(scoreboard.left_out.scenarios),
    'New accounts without a judge, by group:',
    groupTable(scoreboard.left_out.groups),
    '### Other thresholds',
    curveWords,
    curveTable(scoreboard.left_out.curves.no_judge),
    judgeCurveWords,
    curveTable(scoreboard.left_out.curves.accepting_judge),
    '### The open part',
    'These figures are optimistic, because people looked at the posts. The difference from the sealed third shows by how much.',
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
  `Twelve wrappers around the same ${attacks.posts} violating posts, ${attacks.sealed} of them sealed. The local model was trained on the others, so its figures are optimistic. Published without a judge: ${percent(attacks.published_without_judge.share)}; with a compromised judge that accepts everything: ${percent(attacks.published_with_accepting_judge.share)}. A judge never publishes a post that the rules or the local model detect, and no post is published when the judge fails: otherwise the run ends with an error.`,
  attackTable(attacks.wrappers),
]

const curveWords =
  'What the same posts, each judged by a model trained without its author, would meet at other thresholds. Without a judge, a post is published when its score is below the threshold. Both shipped thresholds follow from the costs.'
const judgeCurveWords =
  'With a judge that accepts everything: from the threshold on, a person reviews the post although the judge accepts it.'
const obfuscationWords =
  'Recall at the shipped thresholds. Before: the text as sent, read once as a whole. After: the canonical text, read as a whole, by sentences and by windows. The model was trained on most posts of the committed set, but not on the other sets.'
const benchmarkWords =
  'The measured weights were not trained on these texts. In cross-validation, weights trained on the other folds judge each text; for “any label”, a logistic regression trained on the other folds is added. The sets are not committed; `npm run train -- benchmarks` measures those in MODERATION_DATA_DIR.'
const publishedWords =
  'Figures that others publish for OpenAI’s 1,680 posts, without training on them. Compare them with our row “none of it trained on”.'
const xstestWords =
  'Figures that others publish for XSTest. Our model, in the table above, reads only the requests. The other authors do not say whether their models also read the responses.'

/**
 * Adds figures, and the committed ones on public sets, to generated/moderation-scoreboard.json, and writes all figures
 * to docs/moderation.md.
 */
export function writeFigures(fresh: Partial<Scoreboard>, basis: Basis & { set_hash: string }): void {
  const merged = mergeScoreboard({ ...fresh, benchmarks: findBenchmarks() }, readScoreboard(), basis)
  if (!merged) throw new Misuse('No scoreboard matches this model and set. Run `npm run eval -- moderation --write`.')
  writeScoreboard(merged.scoreboard)
  writeDocument(merged.scoreboard)
  console.log('\nWritten: generated/moderation-scoreboard.json and docs/moderation.md.')
  for (const name of merged.dropped)
    console.log(`Dropped outdated figures: ${name}. Run \`npm run eval -- ${name} --write\`.`)
}
