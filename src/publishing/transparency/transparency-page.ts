import { longDate } from '../../kinds/presentation/dates.ts'
import { barChart } from '../../markup/bar-chart.ts'
import { type Html, html } from '../../markup/html.ts'
import { countFamilies, countRefusedBy, decidedBy, reportsIn, takenDownBy } from '../../policy/moderation-counts.ts'
import { policy } from '../../policy/policy.ts'
import { scoreboard } from '../../policy/scoreboard.ts'
import { layout } from '../page-frame.ts'
import type { SiteView } from '../views.ts'
import { moderationFigures } from './moderation-figures.ts'
import type { CountedDay, TransparencyView } from './read-days.ts'
import { categoryTable, dayTable, summaryTable } from './transparency-tables.ts'

/** What moderation did on this site, in numbers that were counted once a day and do not change afterwards. */
export function transparencyPage(site: SiteView, view: TransparencyView): Html {
  const { title, plural } = site.kind.site
  return layout(site, {
    path: 'transparency/',
    title: 'Transparency',
    description: `What moderation decided on ${title}: how much, by whom, for which reasons, and how often it was wrong.`,
    alternates: [{ type: 'application/json', href: '/transparency/index.json', title: 'The same as JSON' }],
    content: html`<div class="page-head"><h1>Transparency</h1><p class="lede">How the ${plural} on this site are judged, in numbers: how many, by whom, for which reasons, and how often it was wrong.</p></div>
<div class="prose">
!${view.days.length === 0 ? notYet : numbers(view)}
!${limits}
!${moderationFigures(scoreboard)}
!${names}
</div>`,
  })
}

const notYet = html`<div class="empty"><p>No day has been counted yet.</p><p>The first numbers stand here on the day after the first post.</p></div>`

function numbers(view: TransparencyView): Html {
  const { days, firstDay, totals, audit } = view
  const last = longDate(days.at(-1)?.day ?? '')
  return html`<p>Counted from ${longDate(firstDay ?? '')} to ${last}, in days of UTC. Each day is counted once, shortly after its end, and stays as it is. The policy in force is that of ${longDate(policy.version)}: <a href="/policy/">read it</a>. The same numbers <a href="/transparency/index.json">as JSON</a>.</p>
<h2 id="summary">In short</h2>
!${summaryTable(totals)}
<h2 id="days">Day by day</h2>
!${charts(days)}
<details><summary>The same as a table</summary>
<p>“Hours” is how long half, and how long nine in ten, of the cases had waited that a person decided on that day.</p>
!${dayTable(days)}
</details>
<h2 id="categories">By category</h2>
<p>Of the last 90 days. Each name leads to its definition in the policy.</p>
!${categoryTable(totals.last90)}
!${audit ? auditLog(audit) : ''}`
}

const by = ['automated', 'person'] as const
const deciders = ['by the model', 'by a person']

function charts(days: readonly CountedDay[]): Html {
  const bars = (valuesOf: (day: CountedDay) => readonly number[]) =>
    days.map((one) => ({ label: longDate(one.day), values: valuesOf(one) }))
  const all = [
    {
      ...{ id: 'decided', title: 'Decisions on posts and edits', series: deciders },
      bars: bars(({ counts }) => by.map((one) => decidedBy(counts, one))),
    },
    {
      ...{ id: 'refused', title: 'Refused or taken down', series: deciders },
      bars: bars(({ counts }) => by.map((one) => countRefusedBy(counts, one) + takenDownBy(counts, one))),
    },
    {
      ...{ id: 'reported', title: 'Reports received', series: ['reports'] },
      bars: bars(({ counts }) => [reportsIn(counts)]),
    },
  ]
  return all.map(barChart).join('\n')
}

/** In the form that `audit verify` takes. */
const auditLog = ({
  entries,
  hash,
}: NonNullable<TransparencyView['audit']>): Html => html`<h2 id="audit-log">The audit log</h2>
<p>Every act of staff and operators is written to a log in which each entry is bound to all before it. When the last day was counted it had ${entries.toLocaleString('en')} ${entries === 1 ? 'entry' : 'entries'}, and its head was:</p>
<pre tabindex="0"><code>${entries}:${hash}</code></pre>
<p>Whoever keeps this line can later tell whether an entry was changed, taken out or put in before it.</p>`

const limits = html`<h2 id="limits">What the numbers do not say</h2>
<ul>
<li>They are of this site alone. The other sites have pages of their own; an account is one for all.</li>
<li>What the fixed rules refuse before anything is charged is not in them: such a post was never taken in.</li>
<li>That a decision was not appealed does not mean that it was right, and nobody has counted what should have been refused and was not.</li>
<li>A decision counts on the day when it was made. A post may be submitted on one day, refused on the next and restored on a third, so the numbers of a day do not add up.</li>
<li>Agreement is measured only where the model was in doubt and a person decided: the hardest cases. Whoever decides may see what the model leaned to.</li>
<li>A post that its author deletes while it waits is submitted and never decided.</li>
</ul>
<p>How posts are judged, and how a decision is appealed, stands in <a href="/about/">About</a> and in <a href="/policy/">the policy</a>.</p>`

const names = html`<h2 id="names">The names in the JSON</h2>
<p><a href="/transparency/index.json">/transparency/index.json</a> has <code>totals</code> of 30 days, 90 days and all time, and <code>days</code>, up to 90 of them with the oldest first. Each has every number by name, zeros included; a day also has <code>review_hours_median</code> and <code>review_hours_p90</code>, which are <code>null</code> when no case was decided. Names may be added; none changes its meaning. <code>moderation_figures</code> is what stands under <a href="#figures">How well the machine judges</a>: shares and ratios from 0 to 1, each with <code>low</code> and <code>high</code>, between which 95 of 100 repetitions lie; <code>null</code> where none were taken.</p>
<dl class="fields">
!${countFamilies.map(({ form, counts }) => html`<dt><code>${form}</code></dt><dd>${counts}</dd>`).join('\n')}
</dl>`
