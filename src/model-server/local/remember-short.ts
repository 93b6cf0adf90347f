import type { Embed } from './embed.ts'

/** Names of authors come with every post of theirs, and are short. What is longer hardly comes twice. */
const mostCharacters = 64

/** Vectors that are kept: 4 MB of them. */
const mostTexts = 2_000

/** Embeds short texts once as long as they keep coming; the one that has not come for longest is forgotten first. */
export function rememberShort(embed: Embed): Embed {
  const known = new Map<string, Float32Array>()
  return async (texts) => {
    const vectors = new Map<string, Float32Array>()
    for (const text of texts) {
      const vector = known.get(text)
      if (vector) vectors.set(text, vector)
    }
    const unknown = [...new Set(texts)].filter((text) => !vectors.has(text))
    const fresh = await embed(unknown)
    for (const [index, text] of unknown.entries()) vectors.set(text, fresh[index] as Float32Array)
    for (const [text, vector] of vectors) {
      if (text.length > mostCharacters) continue
      known.delete(text)
      known.set(text, vector)
    }
    for (const text of known.keys()) if (known.size > mostTexts) known.delete(text)
    return texts.map((text) => vectors.get(text) as Float32Array)
  }
}
