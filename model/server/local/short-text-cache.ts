/** Author names are short and are sent with every post by that author. Longer texts rarely repeat. */
const mostCharacters = 64

/** The maximum number of vectors: 4 MB in total. */
const mostTexts = 2_000

/** Caches the encodings of short texts; the least recently used one is dropped first. */
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
