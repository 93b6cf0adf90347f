import { type Html, html } from '../../markup/html.ts'
import type { DecisionOutcome } from '../../platform/database-types.ts'
import { isAbusive } from '../../policy/policy.ts'
import { badge, type Tone } from '../badge.ts'
import { when } from '../when.ts'
import { categoryTitle } from './post-words.ts'
import type { OwnedPost } from './read-own-post.ts'

type Decision = OwnedPost['decisions'][number]
type Appeal = OwnedPost['appeals'][number]

const outcomes: Record<DecisionOutcome, { label: string; tone: Tone }> = {
  publish: { label: 'Published', tone: 'good' },
  low_quality: { label: 'Rejected, fee refunded', tone: 'bad' },
  abuse: { label: 'Rejected as abusive', tone: 'bad' },
  review: { label: 'Passed to a person', tone: 'warn' },
  remove: { label: 'Removed', tone: 'bad' },
  restore: { label: 'Decision taken back', tone: 'good' },
}

/** The statement of reasons for each decision, the newest first. */
export function decisionList(decisions: readonly Decision[]): Html {
  if (decisions.length === 0) return html`<p class="soft">Nothing has been decided yet.</p>`
  return html`<ol class="plain statements">!${decisions.map(decisionItem).join('\n')}</ol>`
}

function decisionItem({ edit, outcome, category, reason, automated, policy_version, decided_at }: Decision): Html {
  const { label, tone } = outcomes[outcome]
  const rule = category
    ? html`<p><strong>${categoryTitle(category)}.</strong> ${reason}!${isAbusive(category) ? html` Abuse costs ten times the price and adds a strike.` : ''}</p>`
    : ''
  return html`<li><p class="said">!${badge(label, tone)}!${edit > 0 ? html` <span class="soft">Edit ${edit}</span>` : ''}</p>
!${rule}
<p class="small">!${when(decided_at)} · Decided by ${automated ? 'the model' : 'a person'} · Policy of ${policy_version}</p></li>`
}

const appealOutcomes: Record<string, string> = {
  upheld: 'You were right: the decision was taken back.',
  dismissed: 'A person looked again, and the decision stands.',
}

/** What was said against a decision, and what came of it. */
export const appealList = (appeals: readonly Appeal[]): Html =>
  appeals
    .map(
      ({ message, submitted_at, outcome, decided_at }) => html`<div class="notice"><h3>!${
        outcome ? html`${appealOutcomes[outcome]}` : html`An appeal is open: a person will decide`
      }</h3>
!${message ? html`<div class="quoted lines" dir="auto">${message}</div>` : ''}
<p class="small">Sent !${when(submitted_at)}!${decided_at ? html` · Decided !${when(decided_at)}` : ''}</p></div>`,
    )
    .join('\n')
