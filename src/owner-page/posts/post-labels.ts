import { kinds } from '../../kinds/index.ts'
import { excerpt } from '../../kinds/presentation/excerpt.ts'
import type { Html } from '../../markup/html.ts'
import type { PostStatus } from '../../platform/database/database-types.ts'
import { policy } from '../../policy/policy.ts'
import { badge, type Tone } from '../../web-pages/elements.ts'

const maxCharacters = 70

/** What a post is called: its title, or the beginning of its text. One whose text is erased is called by its kind. */
export function shortTitle({ kind, content }: { kind: string; content: object | null }): string {
  const known = kinds.find(({ name }) => name === kind)
  if (!known) return `A ${kind}`
  return content ? excerpt(known.presentation.headline(content), maxCharacters) : `A deleted ${known.site.noun}`
}

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
export const categoryName = (category: string | null): string =>
  policy.categories.find(({ id }) => id === category)?.title ?? category ?? 'No category'
