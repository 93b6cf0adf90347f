import { type Html, html } from '../../markup/html.ts'
import { type PublishedFigure, publishedFigures, publishedOnXstest } from '../../policy/published-figures.ts'
import type { Scoreboard } from '../../policy/scoreboard.ts'
import { numbersTable, ratio, withRange } from './numbers-table.ts'

type Benchmark = Scoreboard['benchmarks'][number]

/** The set for which others publish figures. Its single labels stand in the JSON, and are too many for a page. */
const isShared = ({ name }: Benchmark) => name.startsWith('OpenAI benchmark')
const isOfAllLabels = ({ name }: Benchmark) => name.includes('any label')

/** The local model on texts of others, beside a list of bad words and beside what others publish. */
export function benchmarkTables(benchmarks: readonly Benchmark[]): Html {
  if (benchmarks.length === 0) return ''
  const shared = benchmarks.filter((one) => isShared(one) && isOfAllLabels(one))
  const others = benchmarks.filter((one) => !isShared(one))
  return html`<h3 id="figures-public">On public sets</h3>
<p>The same local model, alone, on texts that others collected and labelled. A list of bad words shows what could be had without a model.</p>
!${shared.length > 0 ? sharedTable(shared) : ''}
!${others.length > 0 ? otherTable(others) : ''}
!${xstestTable(others)}`
}

const columns = ['Average precision', 'F1', 'False alarms']

function sharedTable(shared: readonly Benchmark[]): Html {
  const words = shared.find(({ keyword_average_precision }) => keyword_average_precision !== null)
  const rows = [
    ...shared.map((one) => [
      sizeOf(one.name.replace(/^OpenAI benchmark, (.*), any label/, 'This site, $1')),
      precisionOf(one),
      html`${ratio(one.f1)}`,
      html`${ratio(one.false_alarms)}`,
    ]),
    ...(words ? [[html`A list of bad words`, html`${ratio(words.keyword_average_precision)}`, dash, dash]] : []),
    ...publishedFigures.map((one) => [
      html`${one.system}`,
      html`${ratio(one.average_precision)}`,
      html`${ratio(one.f1)}`,
      html`${ratio(one.false_positive_rate)}`,
    ]),
  ]
  return html`!${numbersTable('OpenAI’s benchmark for moderation, any of its labels; – where nobody published a figure', ['System', ...columns], rows)}
<p class="table-note">Others were asked about all 1,680 posts, and as far as they say had not been trained on them; the figure of ours to hold beside theirs is that without training on them, too. In cross-validation, the model that judges a fifth of the posts was trained on the other four, and so was the part of it that says whether any rule is broken. Ours leave the posts about minors out, which are not kept here.</p>
!${sourcesOf(publishedFigures)}`
}

const dash = html`–`

const sourcesOf = (figures: readonly PublishedFigure[]): Html =>
  html`<details><summary>Where the figures of others come from</summary><ul>
!${[...Map.groupBy(figures, ({ source }) => source)]
    .map(([source, systems]) => html`<li>${systems.map(({ system }) => system).join(', ')}: ${source}</li>`)
    .join('\n')}
</ul></details>`

const otherTable = (others: readonly Benchmark[]): Html =>
  numbersTable(
    'Other public sets',
    ['Set', 'Average precision', 'List of bad words', 'F1', 'False alarms'],
    others.map((one) => [
      sizeOf(one.name),
      precisionOf(one),
      html`${ratio(one.keyword_average_precision)}`,
      html`${ratio(one.f1)}`,
      html`${ratio(one.false_alarms)}`,
    ]),
  )

/** The other set for which others publish figures. */
function xstestTable(others: readonly Benchmark[]): Html {
  const own = others.find(({ name }) => name.startsWith('XSTest'))
  if (!own) return ''
  const rows = [
    [sizeOf(own.name.replace(/^XSTest/, 'This site')), html`${ratio(own.f1)}`, html`${ratio(own.false_alarms)}`],
    ...publishedOnXstest.map((one) => [
      html`${one.system}`,
      html`${ratio(one.f1)}`,
      html`${ratio(one.false_positive_rate)}`,
    ]),
  ]
  return html`!${numbersTable('XSTest: dangerous requests, and harmless ones that sound like them', ['System', 'F1', 'False alarms'], rows)}
<p class="table-note">Ours reads the requests alone; whether theirs also read answers to them, they do not say.</p>
!${sourcesOf(publishedOnXstest)}`
}

const precisionOf = ({ average_precision, low, high }: Benchmark): Html =>
  low === null || high === null
    ? html`${ratio(average_precision)}`
    : withRange(ratio(average_precision), `${ratio(low)}–${ratio(high)}`)

/** `HateCheck: 3728 texts, 2563 violating`: how many stand below the name. */
function sizeOf(name: string): Html {
  const at = name.lastIndexOf(': ')
  return at < 0 ? html`${name}` : withRange(name.slice(0, at), name.slice(at + 2))
}
