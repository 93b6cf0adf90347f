import { excerpt } from '../kinds/excerpt.ts'
import type { PostStatus } from '../platform/database-types.ts'
import { postUrl, type Sites, siteOf } from '../posts/sites.ts'

/** Enough to tell one post from another. */
const charactersShown = 120

export type Beginning = {
  /** A stranger's words; null when they are no longer kept. */
  excerpt: string | null
  /** Where anyone can read it; null when nobody can. */
  url: string | null
}

type Stored = { id: string; kind: string; status: PostStatus; content: unknown }

/** How another post begins, and where it is public. */
export function beginningOf(sites: Sites, { id, kind: name, status, content }: Stored): Beginning {
  const { kind, baseUrl } = siteOf(sites, name)
  const { hasTitle, headline, text } = kind.presentation
  const said = content as object | null
  return {
    excerpt: said && excerpt(hasTitle ? `${headline(said)}: ${text(said)}` : text(said), charactersShown),
    url: status === 'published' ? postUrl(baseUrl, id) : null,
  }
}
