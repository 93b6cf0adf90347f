import type { OwnPost } from '../../index.ts'
import { type Context, openKeyedClient } from '../context.ts'
import { statusStyles } from '../posts/describe-post.ts'
import { take } from '../posts/take.ts'
import { time } from '../terminal/text.ts'

export async function mine(context: Context): Promise<void> {
  const { out, text } = context
  const client = await openKeyedClient(context)
  const limit = context.number('limit')
  const filters = { ...(text('status') && { status: text('status') }), ...(text('kind') && { kind: text('kind') }) }
  const posts: OwnPost[] = await take(client.myPosts({ ...filters, limit: Math.min(limit, 100) } as never), limit)
  out.document({ data: posts })
  if (posts.length === 0) return out.print('No posts.')
  out.table(posts, [
    { title: 'ID', text: ({ id }) => id },
    { title: 'STATUS', text: ({ status }) => status, style: ({ status }) => statusStyles[status] },
    { title: 'KIND', text: ({ kind }) => kind },
    { title: 'CREATED', text: ({ created_at }) => time(created_at).slice(0, 10), isOptional: true },
    { title: 'HEADLINE', text: ({ content }) => content?.headline ?? '', isFlexible: true },
  ])
}
