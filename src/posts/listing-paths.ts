import type { Kind } from '../kinds/index.ts'

/** The listings that contain a post: the front page, its author's, and those of its topics, places and so on. */
export const listingPaths = (kind: Kind, body: object, authorId: string | null): string[] => [
  '',
  ...kind.shelves(body),
  ...(authorId === null ? [] : [authorListing(authorId)]),
]

/** The listing of an author's posts. */
export const authorListing = (accountId: string) => `by/${accountId}`
