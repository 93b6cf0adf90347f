import { type Html, html } from '../../markup/html.ts'
import { policy } from '../../policy/policy.ts'
import { type Scoreboard, type Share, type StageFigures, scenarioTitles } from '../../policy/scoreboard.ts'
import { wilsonInterval } from '../../policy/wilson-interval.ts'
import { benchmarkTables } from './benchmark-tables.ts'
import { numbersTable, ratio, withRange } from './numbers-table.ts'
import { type IntervalEstimate, intervalBars, shareBars } from './row-charts.ts'

/** How accurate automated moderation is, and what was not measured: every figure. */
export const moderationFigures = (scoreboard: Scoreboard | null): Html =>
  section(
    scoreboard,
    (figures) => html`!${inWords(figures)}
!${allFigures(figures)}`,
  )

/** The same in short: the sentences, what happens to posts, and a link to every figure. */
export const moderationSummary = (scoreboard: Scoreboard | null): Html =>
  section(
    scoreboard,
    (figures) => html`!${inWords(figures)}
!${pipelinesOf(figures)
      .slice(-1)
      .map(([by, one]) => fateChart(by, one))}
<p><a href="/transparency/#figures">Transparency</a> has all figures: by category, by account, on public datasets, and what they do not cover.</p>`,
  )

const section = (scoreboard: Scoreboard | null, shown: (scoreboard: Scoreboard) => Html): Html =>
  html`<h2 id="figures">How accurate automated moderation is</h2>
!${scoreboard ? shown(scoreboard) : html`<p>No figures are available yet.</p>`}`

const pipelinesOf = ({ sealed }: Scoreboard): [string, StageFigures][] => [
  ['Rules and local model only', sealed.pipeline_without_judge],
  ...(sealed.pipeline_with_judge
    ? [['With the large model', sealed.pipeline_with_judge] as [string, StageFigures]]
    : []),
]

const inWords = (scoreboard: Scoreboard): Html => {
  const { set, attacks } = scoreboard
  return html`<p>Fixed rules, a small local model and, if the operator has set one up, a large model judge each post. People decide the uncertain cases. We measured this on ${count(set.posts)} posts written for the purpose. The figures below are for the ${count(set.sealed)} posts that nobody looked at during the development of the rules, the model and the thresholds.</p>
!${pipelinesOf(scoreboard)
    .map(([by, figures]) => fateWords(by, figures))
    .join('\n')}
!${attacks ? attackWords(attacks) : ''}`
}

function allFigures(scoreboard: Scoreboard): Html {
  const { categories, benchmarks, does_not_cover } = scoreboard
  return html`<h3 id="figures-outcomes">What happens to posts</h3>
!${pipelinesOf(scoreboard)
    .map(([by, figures]) => html`!${fateChart(by, figures)}!${fateTable(by, figures)}`)
    .join('\n')}
<h3 id="figures-categories">By category</h3>
!${categoryChart(categories)}
!${categoryTable(categories)}
<p class="table-note"><i>Precision</i> is the share of posts assigned to a category that really break that rule. <i>Recall</i> is the share of posts breaking the rule that were assigned to it. <i>Average precision</i> combines both at all thresholds: 1 is perfect. The range below each figure is its 95% confidence interval.</p>
!${scenarioFigures(scoreboard)}
!${benchmarkTables(benchmarks)}
<h3 id="figures-not-covered">What these figures do not cover</h3>
<ul>
!${does_not_cover.map((line) => html`<li>!${withTopic(line)}</li>`).join('\n')}
</ul>
<h3 id="figures-basis">What was measured</h3>
!${basis(scoreboard)}`
}

/** What authors can expect, by the standing of the account and by the operator's judge. */
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
  return html`<h3 id="figures-accounts">Who waits for a review</h3>
<p>The first two columns cover ${count(left_out.posts)} posts by ${count(left_out.authors)} authors, each judged by a model that was trained without that author’s posts. The last two cover the unseen posts. No real large model was measured: the simulated one makes random errors.</p>
!${numbersTable('Per 100 posts, with the 95% confidence interval below', ['', 'Harmless, held for review', 'Breaking a rule, published', 'Harmless, held for review (unseen posts)', 'Breaking a rule, published (unseen posts)'], rows)}`
}

const count = (number: number) => number.toLocaleString('en')

/** `Languages other than English: no post …`: emphasizes the part before the colon. */
function withTopic(line: string): Html {
  const at = line.indexOf(': ')
  return at < 0 ? html`${line}` : html`<strong>${line.slice(0, at)}</strong>${line.slice(at)}`
}

function fateWords(by: string, { benign_rejected, benign_published, violating_published }: StageFigures): Html {
  if (!benign_rejected || !benign_published || !violating_published) return ''
  const waiting = Math.max(0, 1 - benign_rejected.share - benign_published.share)
  return html`<p><strong>${by}:</strong> of 100 harmless posts, ${inHundred(benign_rejected.share)} would be rejected and ${inHundred(waiting)} would wait for a person. Of 100 that break a rule, ${inHundred(violating_published.share)} would be published without review.</p>`
}

/** The groups of posts that were measured, and what would happen to each. */
const fatesOf = ({ shares }: StageFigures) =>
  [
    { label: 'Rule-breaking', fates: shares.violating },
    { label: 'Borderline', fates: shares.near_miss },
    { label: 'Ordinary', fates: shares.clean },
  ].flatMap(({ label, fates }) =>
    fates ? [{ label, posts: fates.published.n, outcomes: [fates.published, fates.review, fates.rejected] }] : [],
  )

const fateChart = (by: string, figures: StageFigures): Html =>
  shareBars({
    title: `Outcomes: ${by.toLowerCase()}`,
    series: ['Published', 'A person decides', 'Rejected'],
    rows: fatesOf(figures).map(({ label, outcomes }) => ({ label, values: outcomes.map(({ share }) => share) })),
  })

const fateTable = (by: string, figures: StageFigures): Html =>
  numbersTable(
    `${by}: outcomes per 100 posts, with the 95% confidence interval below`,
    ['', 'Posts', 'Published', 'A person decides', 'Rejected'],
    fatesOf(figures).map(({ label, posts, outcomes }) => [
      html`${label}`,
      html`${count(posts)}`,
      ...outcomes.map(hundredths),
    ]),
  )

/** A share above 0 never shows as 0, and one below 100 never as 100. */
function inHundred(share: number): string {
  const rounded = Math.round(share * 100)
  if (rounded === 0 && share > 0) return 'fewer than 1'
  return rounded === 100 && share < 1 ? 'more than 99' : String(rounded)
}

/** The range is rounded outwards, so that it does not claim more precision than was measured. */
const hundredths = ({ share, low, high }: Share): Html =>
  withRange(inHundred(share), `${Math.floor(low * 100)}–${Math.ceil(high * 100)}`)

const attackWords = (attacks: NonNullable<Scoreboard['attacks']>): Html =>
  html`<p><strong>Under attack:</strong> ${count(attacks.posts)} posts that break a rule, each using known tricks to evade automated moderation. Of 100 such posts, ${inHundred(attacks.published_without_judge.share)} would be published by the rules and the local model alone, and ${inHundred(attacks.published_with_accepting_judge.share)} if the large model were fooled every time.</p>`

type CategoryFigures = Scoreboard['categories'][number]

/** Precision and recall with their intervals. The counts follow from the shares. */
function accuracyOf({
  violating,
  precision,
  recall,
}: CategoryFigures): Record<'precision' | 'recall', IntervalEstimate | null> {
  const found = Math.round(recall * violating)
  return {
    precision: precision ? { value: precision, ...wilsonInterval(found, Math.round(found / precision)) } : null,
    recall: { value: recall, ...wilsonInterval(found, violating) },
  }
}

const categoryChart = (categories: readonly CategoryFigures[]): Html =>
  intervalBars({
    title: 'Precision and recall by category: the line is the figure, the band its 95% confidence interval',
    series: ['Precision', 'Recall'],
    rows: categories.map((one) => {
      const { precision, recall } = accuracyOf(one)
      return { label: titleOf(one.category), estimates: [precision, recall] }
    }),
  })

const categoryTable = (categories: readonly CategoryFigures[]): Html =>
  numbersTable(
    'Rules and local model together: distinguishing posts that break the rule from posts that break no rule',
    ['Category', 'Posts', 'Average precision', 'Precision', 'Recall'],
    categories.map((one) => {
      const { precision, recall } = accuracyOf(one)
      return [
        html`<a href="/policy/#${one.category}">${titleOf(one.category)}</a>`,
        withRange(count(one.violating), `of ${count(one.n)}`),
        estimateText({ value: one.average_precision, low: one.low, high: one.high }),
        precision ? estimateText(precision) : html`${ratio(one.precision)}`,
        recall ? estimateText(recall) : html`${ratio(one.recall)}`,
      ]
    }),
  )

const estimateText = ({ value, low, high }: IntervalEstimate): Html =>
  withRange(ratio(value), `${ratio(low)}–${ratio(high)}`)

const titleOf = (category: string) => policy.categories.find(({ id }) => id === category)?.title ?? category

function basis({ model, judge, set, policy_version, thresholds_version }: Scoreboard): Html {
  const rows: [string, Html][] = [
    ['Local model', html`${model.name}, weights <code>${model.version}</code>`],
    ['Large model', judge ? html`${judge.name}, <code>${judge.version}</code>` : html`none`],
    ['Policy', html`version <code>${policy_version}</code>`],
    ['Thresholds', html`version <code>${thresholds_version}</code>`],
    ['Set', html`<code>${set.hash}</code>, ${count(set.posts)} posts, ${count(set.sealed)} of them unseen`],
  ]
  return html`<dl class="facts">
!${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>!${value}</dd></div>`).join('\n')}
</dl>`
}
