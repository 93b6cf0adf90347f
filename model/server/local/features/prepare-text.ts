/** A longer text is embedded in windows: one vector for much text says little, and costs time. */
export const embeddedCharacters = 1_000

/** The form in which a text is embedded and read: one line, entities of web pages resolved. */
export function prepareText(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' }

/** The beginning of a text, without half a character at its end. */
export function cutText(text: string, characters = embeddedCharacters): string {
  if (text.length <= characters) return text
  const isSplit = text.charCodeAt(characters - 1) >= 0xd800 && text.charCodeAt(characters - 1) <= 0xdbff
  return text.slice(0, isSplit ? characters - 1 : characters)
}
