import { InterruptedError } from '../cli-error.ts'
import { type Context, openKeyedClient } from '../context.ts'
import { ask, isInteractive } from '../terminal/prompt.ts'

export async function deletePost(context: Context): Promise<void> {
  const { args, out } = context
  const id = String(args[0])
  const client = await openKeyedClient(context)
  if (!context.isSet('yes') && isInteractive()) {
    const answer = await ask(`Delete ${id} for good? The fee is not refunded. [y/N] `)
    if (!/^y(es)?$/i.test(answer)) throw new InterruptedError('Nothing was deleted.')
  }
  const post = await client.delete(id)
  out.document(post)
  out.print(`Deleted ${id}.`)
}
