/**
 * Letters that look like Latin ones, and digits that stand for letters, as far as the name of the platform and the words
 * for its staff and for what it has verified need them.
 */
const lookalikes: Readonly<Record<string, string>> = {
  ...{ а: 'a', α: 'a', '4': 'a', '@': 'a', в: 'b', β: 'b', '8': 'b', с: 'c', ԁ: 'd', ɗ: 'd', е: 'e', ε: 'e', '3': 'e' },
  ...{ і: 'i', ι: 'i', ı: 'i', '1': 'i', '!': 'i', ӏ: 'i', м: 'm', μ: 'm', п: 'n', η: 'n', о: 'o', ο: 'o', '0': 'o' },
  ...{ р: 'p', ρ: 'p', г: 'r', ѕ: 's', '5': 's', $: 's', т: 't', τ: 't', '7': 't', υ: 'u', ν: 'v', ѵ: 'v', у: 'y' },
  ...{ ƒ: 'f', ɡ: 'g', '9': 'g' },
}

const hidden = /[\p{M}\p{Default_Ignorable_Code_Point}]/gu

const plain = (name: string) =>
  Array.from(
    name.normalize('NFKD').replaceAll(hidden, '').toLowerCase(),
    (letter) => lookalikes[letter] ?? letter,
  ).join('')

const staffWords = new Set(
  'admin admins administrator administrators moderator moderators moderation staff support official officials system operator operators helpdesk'.split(
    ' ',
  ),
)
/** Words that change nothing beside one of them. */
const otherWords = new Set('the team account service desk of and trust safety security customer your'.split(' '))

/**
 * Whether a name suggests that its posts come from the platform or its staff, or that the platform has verified them: any
 * name with the platform's own or with “verified domain”, however it is spelled, and names that consist of words for staff.
 */
export function isReservedName(name: string): boolean {
  const text = plain(name)
  const letters = text.replaceAll(/[^\p{L}]/gu, '')
  if (letters.includes('broadside') || /verified(domain|by|agent)/.test(letters)) return true
  const words = text.match(/\p{L}+/gu) ?? []
  return (
    words.some((word) => staffWords.has(word)) && words.every((word) => staffWords.has(word) || otherWords.has(word))
  )
}
