import { type Context, openKeyedClient } from '../context.ts'
import { postLines } from '../posts/describe-post.ts'

export async function status(context: Context): Promise<void> {
  const { args, out } = context
  const post = await (await openKeyedClient(context)).status(String(args[0]))
  out.document(post)
  for (const line of postLines(post, out)) out.print(line)
}
