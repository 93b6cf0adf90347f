import { type Html, html } from '../../markup/html.ts'
import type { Scoreboard, Share, StageFigures } from '../../policy/scoreboard.ts'
import { numbersTable } from './numbers-table.ts'

/** How accurate automated moderation is, and what was not measured. */
export const moderationFigures = (scoreboard: Scoreboard | null): Html =>
  section(
    scoreboard,
    (figures) => html`!${inWords(figures)}
!${pipelinesOf(figures).map(([by, one]) => fateTable(by, one))}
!${basis(figures)}
<h3 id="figures-not-covered">What these figures do not cover</h3>
<ul>
!${figures.does_not_cover.map((line) => html`<li>!${withTopic(line)}</li>`).join('\n')}
</ul>`,
  )

/** The same in short: the sentences, and a link to the rest. */
export const moderationSummary = (scoreboard: Scoreboard | null): Html =>
  section(
    scoreboard,
    (figures) => html`!${inWords(figures)}
<p><a href="/transparency/#figures">Transparency</a> has the figures with their confidence intervals, and what they do not cover.</p>`,
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
  return html`<p>Fixed rules, a small local model and, if the operator has set one up, a large model judge each post. People decide the uncertain cases. We measured this on ${count(set.posts)} posts written for the purpose. The figures below are for the ${count(set.sealed)} posts without which the rules, the model and the thresholds were made.</p>
!${pipelinesOf(scoreboard)
    .map(([by, figures]) => fateWords(by, figures))
    .join('\n')}
!${attacks ? attackWords(attacks) : ''}`
}

function fateWords(by: string, { benign_rejected, benign_published, violating_published }: StageFigures): Html {
  if (!benign_rejected || !benign_published || !violating_published) return ''
  const waiting = Math.max(0, 1 - benign_rejected.share - benign_published.share)
  return html`<p><strong>${by}:</strong> of 100 harmless posts, ${inHundred(benign_rejected.share)} would be rejected and ${inHundred(waiting)} would wait for a person. Of 100 that break a rule, ${inHundred(violating_published.share)} would be published without review.</p>`
}

const attackWords = (attacks: NonNullable<Scoreboard['attacks']>): Html =>
  html`<p><strong>Under attack:</strong> ${count(attacks.posts)} posts that break a rule, each using known tricks to evade automated moderation. Of 100 such posts, ${inHundred(attacks.published_without_judge.share)} would be published by the rules and the local model alone, and ${inHundred(attacks.published_with_accepting_judge.share)} if the large model were fooled every time.</p>`

/** What would happen to each group of posts that was measured. */
const fateTable = (by: string, { shares }: StageFigures): Html =>
  numbersTable(
    `${by}: outcomes per 100 posts, with the 95% confidence interval below`,
    ['Posts', 'Published', 'A person decides', 'Rejected'],
    [
      { label: 'Rule-breaking', fates: shares.violating },
      { label: 'Borderline', fates: shares.near_miss },
      { label: 'Ordinary', fates: shares.clean },
    ].flatMap(({ label, fates }) =>
      fates ? [[html`${label}`, html`${count(fates.published.n)}`, ...outcomesOf(fates).map(hundredths)]] : [],
    ),
  )

const outcomesOf = ({ published, review, rejected }: Record<'published' | 'review' | 'rejected', Share>) => [
  published,
  review,
  rejected,
]

/** The range is rounded outwards, so that it does not claim more precision than was measured. */
const hundredths = ({ share, low, high }: Share): Html =>
  html`${inHundred(share, '<', '>')} <span class="range">${Math.floor(low * 100)}–${Math.ceil(high * 100)}</span>`

/** A share above 0 never shows as 0, and one below 100 never as 100. */
function inHundred(share: number, fewer = 'fewer than ', more = 'more than '): string {
  const rounded = Math.round(share * 100)
  if (rounded === 0 && share > 0) return `${fewer}1`
  return rounded === 100 && share < 1 ? `${more}99` : String(rounded)
}

const basis = ({ model, judge, set, policy_version, thresholds_version }: Scoreboard): Html =>
  html`<p class="table-note">Measured with ${model.name} <code>${model.version}</code> and ${judge ? `${judge.name} ${judge.version}` : 'no large model'}, by policy <code>${policy_version}</code> and thresholds <code>${thresholds_version}</code>, on the set <code>${set.hash}</code>.</p>`

/** `Languages other than English: no post …`: emphasizes the part before the colon. */
function withTopic(line: string): Html {
  const at = line.indexOf(': ')
  return at < 0 ? html`${line}` : html`<strong>${line.slice(0, at)}</strong>${line.slice(at)}`
}

const count = (number: number) => number.toLocaleString('en')
