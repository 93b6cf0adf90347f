/** The beginning of a text on one line, cut between words where there are any. Counted in code points. */
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

/** After a whole word; in a script without spaces, or a very long word, after a letter with all of its marks. */
function findCut(characters: readonly string[], max: number): number {
  const space = characters.lastIndexOf(' ', max)
  if (space > max / 2) return space
  let end = max
  while (end > 0 && joinsPrevious.test(characters[end] ?? '')) end--
  return end > 0 ? end : max
}

/** What belongs to the letter before it. */
export const joinsPrevious = /\p{M}|\u200d|\p{Emoji_Modifier}/u
