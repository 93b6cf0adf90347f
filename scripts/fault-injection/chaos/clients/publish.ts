import { Broadside } from '../../../../clients/typescript/src/index.ts'
import { inParallel } from '../../../../tooling/in-parallel.ts'

/**
 * Publishes the texts on standard input, one per line, and prints the id of each post. The client reads its address and
 * key from the environment.
 */
const texts = Buffer.concat(await process.stdin.toArray())
  .toString()
  .split('\n')
  .filter(Boolean)
const broadside = new Broadside({ maxRetries: 12, timeoutMs: 1_000 })
await inParallel(texts, async (text) => {
  const { id } = await broadside.publish('message', { text })
  console.log(id)
})
