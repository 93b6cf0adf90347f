import { longDate } from '../../kinds/presentation/dates.ts'
import { type Html, html } from '../../markup/html.ts'
import { type Counts, countFamilies, countRefusedBy, reportsIn, takenDownBy } from '../../policy/moderation-counts.ts'
import { policy } from '../../policy/policy.ts'
import { scoreboard } from '../../policy/scoreboard.ts'
import { withHeadingList } from '../on-this-page.ts'
import { layout } from '../page-frame.ts'
import type { SiteView } from '../views.ts'
import { inShort } from './in-short.ts'
import { moderationFigures } from './moderation-figures.ts'
import { numbersTable } from './numbers-table.ts'
import type { TransparencyView } from './read-days.ts'

/** Moderation on this site in numbers. Each day is counted once and does not change afterwards. */
export function transparencyPage(site: SiteView, view: TransparencyView): Html {
  const { title, plural } = site.kind.site
  return layout(site, {
    path: 'transparency/',
    title: 'Transparency',
    description: `Moderation decisions on ${title}: how many, by whom, for which reasons, and how many were overturned.`,
    alternates: [{ type: 'application/json', href: '/transparency/index.json', title: 'The same as JSON' }],
    content: html`<div class="page-head"><h1>Transparency</h1><p class="lede">Moderation of the ${plural} on this site in numbers: how many decisions, by whom, for which reasons, and how many were overturned.</p></div>
!${withHeadingList(html`<div class="prose">
!${view.days.length === 0 ? notYet : numbers(view, plural)}
!${limits}
!${moderationFigures(scoreboard)}
!${names}
</div>`)}`,
  })
}

const notYet = html`<div class="empty"><p>No day has been counted yet.</p><p>The first numbers appear on the day after the first post.</p></div>`

function numbers(view: TransparencyView, plural: string): Html {
  const { days, firstDay, totals, audit } = view
  const last = longDate(days.at(-1)?.day ?? '')
  return html`!${inShort(totals, plural)}
<p>Counted from ${longDate(firstDay ?? '')} to ${last}, in UTC days. Each day is counted once, shortly after it ends, and does not change afterwards. The current <a href="/policy/">policy</a> dates from ${longDate(policy.version)}. All numbers, by day and by category, are available <a href="/transparency/index.json">as JSON</a>.</p>
!${figuresTable(totals)}
!${audit ? auditLog(audit) : ''}`
}

/** What happened to posts, in the order of their lifecycle. */
const figures: readonly [label: string, of: (counts: Counts) => number][] = [
  ['Posts submitted', (counts) => counts.posts_submitted],
  ['Posts published', (counts) => counts.posts_published],
  ['Rejected or taken down', (counts) => sumBy(counts, countRefusedBy) + sumBy(counts, takenDownBy)],
  ['Reports received', reportsIn],
  ['Appeals filed', (counts) => counts.appeals_filed],
  ['Decisions reversed', (counts) => counts.overturned_automated + counts.overturned_person],
]

const sumBy = (counts: Counts, of: typeof countRefusedBy) => of(counts, 'automated') + of(counts, 'person')

const figuresTable = ({ last30, last90, all }: TransparencyView['totals']): Html =>
  numbersTable(
    'What happened to posts',
    ['Last 30 days', 'Last 90 days', 'All time'],
    figures.map(([label, of]) => [
      html`${label}`,
      ...[last30, last90, all].map((counts) => html`${of(counts).toLocaleString('en')}`),
    ]),
  )

/** In the format that `audit verify` accepts. */
const auditLog = ({
  entries,
  hash,
}: NonNullable<TransparencyView['audit']>): Html => html`<h2 id="audit-log">The audit log</h2>
<p>Every action by staff and operators is recorded in a log with a hash chain. When the last day was counted, the log had ${entries.toLocaleString('en')} ${entries === 1 ? 'entry' : 'entries'}, and its head was:</p>
<pre tabindex="0"><code>${entries}:${hash}</code></pre>
<p>Keep this line to check later whether an earlier entry was changed, removed or inserted.</p>`

const limits = html`<h2 id="limits">What the numbers do not show</h2>
<ul>
<li>They cover only this site. The other sites have their own pages; accounts are shared by all sites.</li>
<li>They do not include posts that the fixed rules reject before any charge: such posts were never accepted.</li>
<li>A decision without an appeal is not necessarily right, and nobody has counted the posts that should have been rejected.</li>
<li>A decision counts on the day it was made. A post may be submitted on one day, rejected on the next and restored on a third, so the numbers for a single day do not add up.</li>
<li>Agreement is measured only where the model was uncertain and a person decided: the hardest cases. Reviewers may see what the model suggested.</li>
<li>A post that its author deletes while it waits counts as submitted but is never decided.</li>
</ul>
<p><a href="/about/">About</a> and <a href="/policy/">the policy</a> explain how posts are judged and how to appeal a decision.</p>`

const names = html`<h2 id="names">Field names in the JSON</h2>
<p><a href="/transparency/index.json">/transparency/index.json</a> has <code>totals</code> for 30 days, 90 days and all time, and <code>days</code>, up to 90 of them, oldest first. Each has every number by name, including zeros. A day also has <code>review_hours_median</code> and <code>review_hours_p90</code>, which are <code>null</code> if no case was decided. We may add names, but we never change the meaning of existing ones. <code>moderation_figures</code> has the figures under <a href="#figures">How accurate automated moderation is</a>, and those by category, by account and on public data sets: shares and ratios from 0 to 1, each with <code>low</code> and <code>high</code>, the bounds of the 95% confidence interval; <code>null</code> where there is no figure.</p>
<details><summary>The names</summary>
<dl class="fields">
!${countFamilies.map(({ form, counts }) => html`<dt><code>${form}</code></dt><dd>${counts}</dd>`).join('\n')}
</dl>
</details>`
