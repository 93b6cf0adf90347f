/** The beginning of a text on one line, cut between words if possible. The length is in code points. */
export function excerpt(text: string, maxCharacters: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  const characters = [...line]
  if (characters.length <= maxCharacters) return line
  const end = findCut(characters, maxCharacters - 1)
  return `${characters
    .slice(0, end)
    .join('')
    .replace(/[\s.,;:–—-]+$/, '')}…`
}

/** Truncates at a word boundary. If there are no spaces or the word is very long, truncates after a letter with its marks. */
function findCut(characters: readonly string[], max: number): number {
  const space = characters.lastIndexOf(' ', max)
  if (space > max / 2) return space
  let end = max
  while (end > 0 && joinsPrevious.test(characters[end] ?? '')) end--
  return end > 0 ? end : max
}

/** Marks that belong to the preceding letter. */
export const joinsPrevious = /\p{M}|\u200d|\p{Emoji_Modifier}/u
