import { type Html, html } from '../../markup/html.ts'
import { policy } from '../../policy/policy.ts'
import { type Scoreboard, type Share, type StageFigures, scenarioTitles } from '../../policy/scoreboard.ts'
import { benchmarkTables } from './benchmark-tables.ts'
import { numbersTable, ratio, withRange } from './numbers-table.ts'

/** How well the machine judges, where it was measured, and where nobody knows: the same words on every page that has them. */
export function moderationFigures(scoreboard: Scoreboard | null): Html {
  return html`<h2 id="figures">How well the machine judges</h2>
!${scoreboard ? allFigures(scoreboard) : html`<p>No figures have been taken yet.</p>`}`
}

function allFigures(scoreboard: Scoreboard): Html {
  const { set, sealed, categories, attacks, benchmarks, does_not_cover } = scoreboard
  return html`<p>A post is judged by fixed rules, by a small local model, and by a large one where the operator has set one up; people decide what these are unsure of. Measured on ${count(set.posts)} posts that were written for this: what follows is of the ${count(set.sealed)} that nobody looked at while rules, model and thresholds were made.</p>
!${fateWords('By rules and local model alone', sealed.pipeline_without_judge)}
!${sealed.pipeline_with_judge ? fateWords('With the large model as well', sealed.pipeline_with_judge) : ''}
!${scenarioFigures(scoreboard)}
!${attacks ? attackWords(attacks) : ''}
<h3 id="figures-categories">By category</h3>
!${categoryTable(categories)}
<p class="table-note">Of the posts for which rules or local model name a category, <i>precision</i> is the share that does break that rule; <i>recall</i> is how many they name of those that break it. <i>Average precision</i> sums both up, without a threshold: 1 is perfect. Below it is the range that holds 95 of 100 repetitions.</p>
!${benchmarkTables(benchmarks)}
<h3 id="figures-not-covered">What these figures do not cover</h3>
<ul>
!${does_not_cover.map((line) => html`<li>!${withTopic(line)}</li>`).join('\n')}
</ul>
<h3 id="figures-basis">What was measured</h3>
!${basis(scoreboard)}`
}

/** What an author may expect, by standing and by what judge the operator has. */
function scenarioFigures({ left_out, sealed_scenarios }: Scoreboard): Html {
  const rows = Object.entries(scenarioTitles).map(([name, title]) => {
    const [unknown, sealed] = [left_out.scenarios, sealed_scenarios].map(
      (all) => all[name as keyof typeof scenarioTitles],
    )
    const cells = [
      unknown?.harmless_review,
      unknown?.violating_published,
      sealed?.harmless_review,
      sealed?.violating_published,
    ]
    return [html`${title}`, ...cells.map((share) => (share ? hundredths(share) : html`–`))]
  })
  return html`<h3 id="figures-accounts">Who waits for a person</h3>
<p>The first two columns are of ${count(left_out.posts)} posts by ${count(left_out.authors)} authors, each judged by a model that had seen no post of that author; the last two of the posts that nobody looked at. No real large model was measured: the simulated one draws its errors.</p>
!${numbersTable('Of 100 posts; below, the range that holds 95 of 100 repetitions', ['', 'Harmless, wait', 'Breaking a rule, published', 'Harmless, wait (unseen posts)', 'Breaking a rule, published (unseen posts)'], rows)}`
}

const count = (number: number) => number.toLocaleString('en')

/** `Languages other than English: no post …`: what it is about stands out. */
function withTopic(line: string): Html {
  const at = line.indexOf(': ')
  return at < 0 ? html`${line}` : html`<strong>${line.slice(0, at)}</strong>${line.slice(at)}`
}

function fateWords(by: string, { shares, ...figures }: StageFigures): Html {
  const { benign_rejected, benign_published, violating_published } = figures
  if (!benign_rejected || !benign_published || !violating_published) return ''
  const waiting = Math.max(0, 1 - benign_rejected.share - benign_published.share)
  const groups: [string, typeof shares.violating][] = [
    ['Break a rule', shares.violating],
    ['Come close to one', shares.near_miss],
    ['Ordinary', shares.clean],
  ]
  const rows = groups.flatMap(([name, fates]) =>
    fates
      ? [
          [
            html`${name}`,
            html`${fates.published.n}`,
            ...[fates.published, fates.review, fates.rejected].map(hundredths),
          ],
        ]
      : [],
  )
  return html`<p><strong>${by}:</strong> of 100 harmless posts, ${inHundred(benign_rejected.share)} would be refused and ${inHundred(waiting)} would wait for a person. Of 100 that break a rule, ${inHundred(violating_published.share)} would be published with nobody looking.</p>
!${numbersTable('What becomes of 100 such posts; below, the range that holds 95 of 100 repetitions', ['', 'Posts', 'Published', 'A person decides', 'Refused'], rows)}`
}

/** A few of a thousand are not none, and most of them are not all. */
function inHundred(share: number): string {
  const rounded = Math.round(share * 100)
  if (rounded === 0 && share > 0) return 'fewer than 1'
  return rounded === 100 && share < 1 ? 'more than 99' : String(rounded)
}

/** The range reaches outwards: it never says less than was found. */
const hundredths = ({ share, low, high }: Share): Html =>
  withRange(inHundred(share), `${Math.floor(low * 100)}–${Math.ceil(high * 100)}`)

const attackWords = (attacks: NonNullable<Scoreboard['attacks']>): Html =>
  html`<p><strong>Under attack:</strong> ${count(attacks.posts)} posts that break a rule, each wrapped in known tricks against machines that judge. Of 100 such, ${inHundred(attacks.published_without_judge.share)} would be published by rules and local model alone, and ${inHundred(attacks.published_with_accepting_judge.share)} if the large model were fooled every time.</p>`

const categoryTable = (categories: Scoreboard['categories']): Html =>
  numbersTable(
    'By rules and local model together: the posts that break the rule, among all that break none',
    ['Category', 'Posts', 'Average precision', 'Precision', 'Recall'],
    categories.map((one) => [
      html`<a href="/policy/#${one.category}">${titleOf(one.category)}</a>`,
      withRange(count(one.violating), `of ${count(one.n)}`),
      withRange(ratio(one.average_precision), `${ratio(one.low)}–${ratio(one.high)}`),
      html`${ratio(one.precision)}`,
      html`${ratio(one.recall)}`,
    ]),
  )

const titleOf = (category: string) => policy.categories.find(({ id }) => id === category)?.title ?? category

function basis({ model, judge, set, policy_version, thresholds_version }: Scoreboard): Html {
  const rows: [string, Html][] = [
    ['Local model', html`${model.name}, weights <code>${model.version}</code>`],
    ['Large model', judge ? html`${judge.name}, <code>${judge.version}</code>` : html`none`],
    ['Policy', html`version <code>${policy_version}</code>`],
    ['Thresholds', html`version <code>${thresholds_version}</code>`],
    ['Set', html`<code>${set.hash}</code>, ${count(set.posts)} posts, ${count(set.sealed)} of them not looked at`],
  ]
  return html`<dl class="facts">
!${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>!${value}</dd></div>`).join('\n')}
</dl>`
}
