import { type Html, html } from '../../markup/html.ts'
import { type PublishedFigure, publishedFigures, publishedOnXstest } from '../../policy/published-figures.ts'
import type { Scoreboard } from '../../policy/scoreboard.ts'
import { numbersTable, ratio, withRange } from './numbers-table.ts'

type Benchmark = Scoreboard['benchmarks'][number]

/**
 * The set for which other authors publish figures. The page leaves out its single labels, which are too many; the JSON
 * has them.
 */
const isShared = ({ name }: Benchmark) => name.startsWith('OpenAI benchmark')
const isOfAllLabels = ({ name }: Benchmark) => name.includes('any label')

/** The local model on public datasets, compared with a list of bad words and with published figures. */
export function benchmarkTables(benchmarks: readonly Benchmark[]): Html {
  if (benchmarks.length === 0) return ''
  const shared = benchmarks.filter((one) => isShared(one) && isOfAllLabels(one))
  const others = benchmarks.filter((one) => !isShared(one))
  return html`<h3 id="figures-public">On public datasets</h3>
<p>The figures below are for the local model alone, on texts that others collected and labeled. A list of bad words serves as the baseline.</p>
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
  return html`!${numbersTable('OpenAI’s moderation benchmark, any label; – means no published figure', ['System', ...columns], rows)}
<p class="table-note">The other systems were tested on all 1,680 posts and, according to their authors, were not trained on them. Compare them with our figure without training on these posts. In cross-validation, the model that judges one fifth of the posts was trained on the other four fifths, including the part that decides whether any rule is broken. Our figures exclude the posts about minors, which we do not store.</p>
!${sourcesOf(publishedFigures)}`
}

const dash = html`–`

const sourcesOf = (figures: readonly PublishedFigure[]): Html =>
  html`<details><summary>Sources of the other systems’ figures</summary><ul>
!${[...Map.groupBy(figures, ({ source }) => source)]
    .map(([source, systems]) => html`<li>${systems.map(({ system }) => system).join(', ')}: ${source}</li>`)
    .join('\n')}
</ul></details>`

const otherTable = (others: readonly Benchmark[]): Html =>
  numbersTable(
    'Other public datasets',
    ['Dataset', 'Average precision', 'List of bad words', 'F1', 'False alarms'],
    others.map((one) => [
      sizeOf(one.name),
      precisionOf(one),
      html`${ratio(one.keyword_average_precision)}`,
      html`${ratio(one.f1)}`,
      html`${ratio(one.false_alarms)}`,
    ]),
  )

/** The other set for which other authors publish figures. */
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
<p class="table-note">Our model reads only the requests. The other authors do not say whether their models also read the responses.</p>
!${sourcesOf(publishedOnXstest)}`
}

const precisionOf = ({ average_precision, low, high }: Benchmark): Html =>
  low === null || high === null
    ? html`${ratio(average_precision)}`
    : withRange(ratio(average_precision), `${ratio(low)}–${ratio(high)}`)

/** `HateCheck: 3728 texts, 2563 violating`: shows the counts below the name. */
function sizeOf(name: string): Html {
  const at = name.lastIndexOf(': ')
  return at < 0 ? html`${name}` : withRange(name.slice(0, at), name.slice(at + 2))
}
