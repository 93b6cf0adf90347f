import type { Kind } from '../../index.ts'
import { type Context, openKeyedClient } from '../context.ts'
import { postLines } from '../posts/describe-post.ts'
import { readBody, withPlace } from '../posts/post-body.ts'

export async function edit(context: Context): Promise<void> {
  const { args, out } = context
  const id = String(args[0])
  const changes = await readBody(context, args[1])
  const client = await openKeyedClient(context)
  const kind = (await client.status(id)).kind as Kind
  const post = await client.edit(kind, id, (await withPlace(context, client, changes, kind)) as never)
  out.document(post)
  for (const line of postLines(post, out)) out.print(line)
  if (!out.isJson) out.note(`The published version stays until the edit is accepted: broadside status ${id}`)
}
