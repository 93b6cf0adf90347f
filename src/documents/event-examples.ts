import type { EventType } from '../contract/events.ts'
import { exampleDraftId } from '../drafts/draft-record.ts'
import { isAbusive, type PolicyCategoryId } from '../policy/policy.ts'
import { exampleReview } from '../posts/review/review-record.ts'
import { postUrl } from '../posts/sites.ts'
import { describeRefusal } from '../posts/status/statement-of-reasons.ts'
import { examplePostId } from '../posts/status/status-record.ts'
import type { DocumentedSite } from './deployment.ts'

/** Example event data for each event type. */
export function webhookEventExamples({
  kind,
  baseUrl,
}: Pick<DocumentedSite, 'kind' | 'baseUrl'>): Record<EventType, object> {
  const post = { id: examplePostId, kind: kind.name }
  const draft = { id: exampleDraftId, kind: kind.name }
  const rejection = refusal(baseUrl, 'low_quality', { refunded: true, automated: true })
  const removal = refusal(baseUrl, 'spam', { refunded: false, automated: false })
  return {
    'post.published': { ...post, status: 'published', url: postUrl(baseUrl, examplePostId) },
    'post.rejected': { ...post, status: 'rejected', rejection },
    'post.review': { ...post, status: 'review', review: exampleReview },
    'post.removed': { ...post, status: 'removed', removal },
    'draft.submitted': { ...draft, state: 'submitted', post_id: examplePostId },
    'draft.declined': { ...draft, state: 'declined' },
    'draft.failed': { ...draft, state: 'failed', problem: { code: 'insufficient_balance' } },
    'draft.expired': { ...draft, state: 'expired' },
  }
}

const refusal = (baseUrl: string, category: PolicyCategoryId, how: { refunded: boolean; automated: boolean }) =>
  describeRefusal({ baseUrl, postId: examplePostId, category, strike: isAbusive(category), canAppeal: true, ...how })
