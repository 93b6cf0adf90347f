import type { EventType } from '../contract/events.ts'
import { isAbusive, type PolicyCategoryId } from '../policy/policy.ts'
import { reasonFor } from '../policy/reasons.ts'
import { postUrl } from '../posts/sites.ts'
import { examplePostId } from '../posts/status-record.ts'
import type { Site } from './deployment.ts'

/** An example of what each event says. */
export function eventExamples({ kind, baseUrl }: Pick<Site, 'kind' | 'baseUrl'>): Record<EventType, object> {
  const post = { id: examplePostId, kind: kind.name }
  return {
    'post.published': { ...post, status: 'published', url: postUrl(baseUrl, examplePostId) },
    'post.rejected': { ...post, status: 'rejected', rejection: refusal('low_quality', { refunded: true }) },
    'post.review': { ...post, status: 'review' },
    'post.removed': { ...post, status: 'removed', removal: refusal('spam', { refunded: false }) },
  }
}

/** What is abusive adds a strike. */
function refusal(category: PolicyCategoryId, { refunded }: { refunded: boolean }) {
  const abusive = isAbusive(category)
  return { category, reason: reasonFor(category), abusive, refunded, strike: abusive }
}
