import type { DecisionOutcome } from '../../../generated/database-types.ts'
import { type Html, html } from '../../markup/html.ts'
import { appealRule } from '../../moderation/appeals/file-appeal.ts'
import { isAbusive } from '../../policy/policy.ts'
import { splitReason } from '../../policy/reasons.ts'
import { isRefusal } from '../../posts/status/refusals.ts'
import { badge, type Tone, when } from '../../web-pages/elements.ts'
import { categoryName } from './post-labels.ts'
import type { OwnedPost } from './read-own-post.ts'

type Decision = OwnedPost['decisions'][number]
type Appeal = OwnedPost['appeals'][number]

const outcomes: Record<DecisionOutcome, { label: string; tone: Tone }> = {
  publish: { label: 'Published', tone: 'good' },
  low_quality: { label: 'Rejected, fee refunded', tone: 'bad' },
  abuse: { label: 'Rejected as abusive', tone: 'bad' },
  review: { label: 'Sent to review', tone: 'warn' },
  remove: { label: 'Removed', tone: 'bad' },
  restore: { label: 'Decision reversed', tone: 'good' },
}

/** The statement of reasons for each decision, newest first. */
export function decisionList({ decisions, baseUrl }: Pick<OwnedPost, 'decisions' | 'baseUrl'>): Html {
  if (decisions.length === 0) return html`<p class="soft">No decisions yet.</p>`
  return html`<ol class="plain statements">!${decisions.map((decision, index) => decisionItem(decision, { policyUrl: `${baseUrl}/policy/`, older: decisions.slice(index + 1) })).join('\n')}</ol>`
}

type Place = { policyUrl: string; older: readonly Decision[] }

function decisionItem(decision: Decision, { policyUrl, older }: Place): Html {
  const { edit, outcome, category, automated, policy_version, decided_at } = decision
  const { label, tone } = outcomes[outcome]
  return html`<li><p class="said">!${badge(label, tone)}!${edit > 0 ? html` <span class="soft">Edit ${edit}</span>` : ''}</p>
!${outcome === 'restore' ? html`<p>${whatWasReversed(decision, older)}</p>` : reasons(decision)}
<p class="small">!${when(decided_at)} · Decided by ${automated ? 'the model' : 'a person'} · <a href="${category && outcome !== 'review' ? `${policyUrl}#${category}` : policyUrl}">Policy ${policy_version}</a></p></li>`
}

/** The fee of a post that was public stays paid when the post is restored (decision 0022). */
function whatWasReversed({ edit }: Decision, older: readonly Decision[]): string {
  const reversed = older.find((decision) => decision.edit === edit && isRefusal(decision))
  return reversed?.outcome === 'remove'
    ? 'Any penalty was refunded, and any strike was removed.'
    : 'The fee and any penalty were refunded, and any strike was removed.'
}

/**
 * Empty for a review, which is not a rejection: there is nothing to fix yet, and the suspected category is not shown.
 */
function reasons({ outcome, category, reason }: Decision): Html {
  if (outcome === 'review' || !category) return html``
  const { rule, remedy } = splitReason(reason ?? '')
  return html`<p><strong>${categoryName(category)}.</strong> ${rule}!${isAbusive(category) ? html` Abuse costs ten times the price and adds a strike.` : ''}</p>
!${remedy ? html`<p><strong>How to fix it.</strong> ${remedy}</p>` : ''}`
}

const appealOutcomes: Record<string, string> = {
  upheld: 'Appeal upheld: the decision was reversed.',
  dismissed: 'Appeal dismissed: a person confirmed the decision.',
}

const earlierOutcomes: Record<string, string> = {
  upheld: 'An earlier decision was appealed and reversed.',
  dismissed: 'An earlier decision was appealed and confirmed.',
}

export const appealList = (appeals: readonly Appeal[]): Html => appeals.map(appealItem).join('\n')

function appealItem({ message, submitted_at, outcome, decided_at, isOfEarlier }: Appeal): Html {
  const outcomeWords = isOfEarlier ? earlierOutcomes : appealOutcomes
  return html`<div class="notice!${outcome === 'upheld' ? ' good' : ''}"><h3>${outcome ? outcomeWords[outcome] : 'An appeal is open. A person will decide.'}</h3>
!${message ? html`<div class="quoted lines" dir="auto">${message}</div>` : ''}
!${isOfEarlier ? html`<p>${appealRule}</p>` : ''}
<p class="small">Sent !${when(submitted_at)}!${decided_at ? html` · Decided !${when(decided_at)}` : ''}</p></div>`
}
