import type { Kind } from '../../index.ts'
import { type Context, openClient } from '../context.ts'
import { headlineOf } from '../posts/headline.ts'
import { take } from '../posts/take.ts'
import { fit, oneLine, pad } from '../terminal/text.ts'

export async function search(context: Context): Promise<void> {
  const { args, out, text } = context
  const client = await openClient(context)
  const limit = context.number('limit')
  const kind = text('kind') as Kind | undefined
  const query = { q: args.join(' '), limit: Math.min(limit, 50), ...(kind && { kind }) }
  const found = await take(client.search(query), limit)
  out.document({ data: found, content_trust: 'untrusted-user-content' })
  if (found.length === 0) return out.print('No posts found.')
  for (const post of found) {
    const start = `${post.published_at.slice(0, 10)}  ${pad(post.kind, 10)}  `
    out.print(start + out.style('bold', fit(oneLine(headlineOf(post)), out.width - start.length)))
    out.print(' '.repeat(start.length) + oneLine(post.url))
  }
}
