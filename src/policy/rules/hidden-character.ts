import { findHiddenCharacter } from '../../contract/text.ts'
import { inEachPart, type Rule } from './rule.ts'

/**
 * Validation refuses these in posts already; a caller that validates less is covered here. They can hide instructions,
 * but nearly all of those in public data came along with a copied text, so the rule accuses nobody of an attack.
 */
export const hiddenCharacter: Rule = {
  id: 'hidden_character',
  category: 'low_quality',
  summary: 'Characters that people cannot see and models can, outside the scripts and emoji that need them.',
  find: inEachPart(({ field, text }) => {
    const hidden = findHiddenCharacter(text)
    if (hidden === null) return null
    const { name, codePoint, position } = hidden
    return `\`${field}\` holds ${name} (${codePoint}) at position ${position}, which readers cannot see. Remove it.`
  }),
}
