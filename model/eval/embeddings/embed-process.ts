import { openEmbedder } from '../../server/local/encoder/embed.ts'
import { appendToCache, keyOfText } from './embedding-cache.ts'

const [file = 'embeddings.bin'] = process.argv.slice(2)
const opening = openEmbedder()

process.on('message', async (texts: string[]) => {
  const embed = await opening
  const vectors = await embed(texts)
  appendToCache(
    file,
    vectors.map((vector, index) => [keyOfText(texts[index] ?? ''), vector] as const),
  )
  process.send?.(texts.length)
})
