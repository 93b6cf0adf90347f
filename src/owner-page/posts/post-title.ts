import { excerpt } from '../../kinds/excerpt.ts'
import { kinds } from '../../kinds/index.ts'

const maxCharacters = 70

/** What a post is called: its title, or the beginning of its text. One whose text is erased is called by its kind. */
export function postTitle({ kind, content }: { kind: string; content: object | null }): string {
  const known = kinds.find(({ name }) => name === kind)
  if (!known) return `A ${kind}`
  return content ? excerpt(known.presentation.headline(content), maxCharacters) : `A deleted ${known.site.noun}`
}
