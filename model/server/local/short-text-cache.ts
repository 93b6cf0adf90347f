/** Names of authors come with every post of theirs, and are short. What is longer hardly comes twice. */
const mostCharacters = 64

/** Vectors that are kept: 4 MB of them. */
const mostTexts = 2_000

/** Encodes short texts once as long as they keep coming; the one that has not come for longest is forgotten first. */
export function cacheShortTexts<T>(
  encode: (texts: readonly string[]) => Promise<T[]>,
): (texts: readonly string[]) => Promise<T[]> {
  const known = new Map<string, T>()
  return async (texts) => {
    const found = new Map<string, T>()
    for (const text of texts) {
      const encoded = known.get(text)
      if (encoded) found.set(text, encoded)
    }
    const unknown = [...new Set(texts)].filter((text) => !found.has(text))
    const fresh = await encode(unknown)
    for (const [index, text] of unknown.entries()) found.set(text, fresh[index] as T)
    for (const [text, encoded] of found) {
      if (text.length > mostCharacters) continue
      known.delete(text)
      known.set(text, encoded)
    }
    for (const text of known.keys()) if (known.size > mostTexts) known.delete(text)
    return texts.map((text) => found.get(text) as T)
  }
}
