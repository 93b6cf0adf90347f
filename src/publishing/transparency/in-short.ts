import { type Html, html } from '../../markup/html.ts'
import {
  type Counts,
  countDecisionsFor,
  countRefusedBy,
  decidedBy,
  takenDownBy,
} from '../../policy/moderation-counts.ts'
import { policy } from '../../policy/policy.ts'
import type { TransparencyView } from './read-days.ts'

/** The shortest period with activity in four sentences. `plural`: the noun for the posts of the site. */
export function inShort(totals: TransparencyView['totals'], plural: string): Html {
  const { period, counts } = latestActivity(totals)
  const sentences = [
    html`${period}, authors submitted !${figure(counts.posts_submitted)} ${plural}, and !${figure(counts.posts_published)} ${be(counts.posts_published)} published.`,
    deciders(counts),
    refusals(counts),
    appeals(counts),
  ]
  return html`<ul class="in-short">!${sentences.map((sentence) => html`<li>!${sentence}</li>`)}</ul>`
}

/** A period without activity would seem to contradict the longer periods below it. */
function latestActivity({ last30, last90, all }: TransparencyView['totals']) {
  const periods = [
    { period: 'In the last 30 days', counts: last30 },
    { period: 'In the last 90 days', counts: last90 },
    { period: 'Since the start', counts: all },
  ] as const
  return periods.find(({ counts }) => Object.values(counts).some((count) => count > 0)) ?? periods[0]
}

function deciders(counts: Counts): Html {
  const { reviews_decided: reviews, reviews_within_24h: soon } = counts
  const byModel = decidedBy(counts, 'automated')
  const pace =
    reviews === 0
      ? ''
      : html`, and settled !${figure(`${Math.floor((100 * soon) / reviews)}%`)} of reviews within 24 hours`
  return html`The model made !${figure(byModel)} ${byModel === 1 ? 'decision' : 'decisions'} on its own. People made !${figure(decidedBy(counts, 'person'))}!${pace}.`
}

function refusals(counts: Counts): Html {
  const rejected = countRefusedBy(counts, 'automated') + countRefusedBy(counts, 'person')
  const removed = takenDownBy(counts, 'automated') + takenDownBy(counts, 'person')
  if (rejected + removed === 0) return html`Nothing was rejected or taken down in this period.`
  const [most] = policy.categories
    .map(({ id, title }) => ({ id, title, count: countDecisionsFor(counts, id) }))
    .sort((one, other) => other.count - one.count)
  const reason =
    most && most.count > 0
      ? html`; the most common reason was <a href="/policy/#${most.id}">${most.title}</a> (${most.count.toLocaleString('en')})`
      : ''
  return html`!${figure(rejected)} ${be(rejected)} rejected and !${figure(removed)} taken down after publication!${reason}.`
}

function appeals(counts: Counts): Html {
  const filed = counts.appeals_filed
  const reversed = counts.overturned_automated + counts.overturned_person
  return html`Authors filed !${figure(filed)} ${filed === 1 ? 'appeal' : 'appeals'}, and !${figure(reversed)} ${reversed === 1 ? 'decision was' : 'decisions were'} reversed as wrong.`
}

const be = (count: number) => (count === 1 ? 'was' : 'were')
const figure = (value: number | string): Html => html`<strong>${value.toLocaleString('en')}</strong>`
