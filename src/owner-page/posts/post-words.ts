import type { Html } from '../../markup/html.ts'
import { badge, type Tone } from '../../page-door/badge.ts'
import type { PostStatus } from '../../platform/database-types.ts'
import { policy } from '../../policy/policy.ts'

const statuses: Record<PostStatus, { label: string; tone: Tone }> = {
  queued: { label: 'being checked', tone: null },
  review: { label: 'waits for a person', tone: 'warn' },
  published: { label: 'published', tone: 'good' },
  rejected: { label: 'rejected', tone: 'bad' },
  removed: { label: 'removed', tone: 'bad' },
  deleted: { label: 'deleted', tone: null },
}

export const statusBadge = (status: PostStatus): Html => badge(statuses[status].label, statuses[status].tone)

/** A category of the policy by its title. One that a later policy no longer has is shown as it was recorded. */
export const categoryTitle = (category: string | null): string =>
  policy.categories.find(({ id }) => id === category)?.title ?? category ?? 'No category'
