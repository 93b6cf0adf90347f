import type { PostStatus } from '../../../generated/database-types.ts'
import { kinds } from '../../kinds/index.ts'
import { excerpt } from '../../kinds/presentation/excerpt.ts'
import type { Html } from '../../markup/html.ts'
import { policy } from '../../policy/policy.ts'
import { badge, type Tone } from '../../web-pages/elements.ts'

const maxCharacters = 70

/** The post's title or the beginning of its text. If the text is erased, names only the kind. */
export function shortTitle({ kind, content }: { kind: string; content: object | null }): string {
  const known = kinds.find(({ name }) => name === kind)
  if (!known) return `A ${kind}`
  return content ? excerpt(known.presentation.headline(content), maxCharacters) : `A deleted ${known.site.noun}`
}

const statuses: Record<PostStatus, { label: string; tone: Tone }> = {
  queued: { label: 'being checked', tone: null },
  review: { label: 'in review', tone: 'warn' },
  published: { label: 'published', tone: 'good' },
  rejected: { label: 'rejected', tone: 'bad' },
  removed: { label: 'removed', tone: 'bad' },
  deleted: { label: 'deleted', tone: null },
}

/** A post's status, and whether it is a rejection that a person has reversed. */
type Shown = { status: PostStatus; isReversed: boolean }

/** A reversed rejection says so: the post stays unpublished, but nothing is held against the account. */
const wordsFor = ({ status, isReversed }: Shown): { label: string; tone: Tone } =>
  isReversed ? { label: 'rejection reversed', tone: null } : statuses[status]

export const statusLabel = (post: Shown): string => wordsFor(post).label

export function statusBadge(post: Shown): Html {
  const { label, tone } = wordsFor(post)
  return badge(label, tone)
}

/** The title of a policy category. A category that no longer exists is shown by its id. */
export const categoryName = (category: string | null): string =>
  policy.categories.find(({ id }) => id === category)?.title ?? category ?? 'No category'
