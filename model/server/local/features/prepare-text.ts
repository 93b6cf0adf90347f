/** Longer texts are embedded in windows, because one vector for a long text says little and takes long to compute. */
export const embeddedCharacters = 1_000

/** The form of a text that all features read: one line, with HTML entities decoded. */
export function prepareText(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

/** The beginning of a text. Does not split a surrogate pair. */
export function cutText(text: string, characters = embeddedCharacters): string {
  if (text.length <= characters) return text
  const isSplit = text.charCodeAt(characters - 1) >= 0xd800 && text.charCodeAt(characters - 1) <= 0xdbff
  return text.slice(0, isSplit ? characters - 1 : characters)
}
