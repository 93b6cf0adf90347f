import type { Kind } from '../../index.ts'
import { type Context, openKeyedClient, openPublicClient } from '../context.ts'
import { headlineOf } from '../posts/headline.ts'
import { withInterrupt } from '../terminal/interrupt.ts'
import { fit, oneLine } from '../terminal/text.ts'

type Event = { id: string; type: string; data: object }

/** Prints events until Ctrl-C, and then how to continue. */
export async function stream(context: Context): Promise<void> {
  const { out } = context
  let last = context.text('after')
  if (!out.isJson) out.note('Waiting for posts. Press Ctrl-C to stop.')
  const follow = async (signal: AbortSignal) => {
    for await (const event of await eventsOf(context, signal)) {
      out.jsonLine(event)
      out.print(lineOf(event, context))
      last = event.id
    }
  }
  await withInterrupt(follow, () => {})
  if (last) out.note(`Continue after the last event: broadside stream --after ${oneLine(last)}`)
}

async function eventsOf(context: Context, signal: AbortSignal): Promise<AsyncIterable<Event>> {
  const after = context.text('after')
  const control = { ...(after && { after }), signal }
  if (context.isSet('mine')) return (await openKeyedClient(context)).stream({ scope: 'mine', ...control })
  const kind = (context.text('kind') ?? 'all') as Kind | 'all'
  return openPublicClient(context).stream({ kind, ...control }) as AsyncIterable<Event>
}

function lineOf({ type, data }: Event, { out }: Context): string {
  const { data: own, ...post } = data as { data?: object; content?: object }
  const { id, kind, url, status } = (own ?? post) as Record<'id' | 'kind' | 'url' | 'status', string | undefined>
  const headline = post.content ? headlineOf({ content: post.content }) : ''
  const facts = [kind, url ?? id, status, headline].filter((fact) => fact !== undefined && fact !== '')
  const [name, rest] = [oneLine(type), facts.map((fact) => oneLine(String(fact))).join('  ')]
  const cut = fit(rest, out.width - name.length - 2)
  return `${out.style(type === 'post.removed' ? 'red' : 'green', name)}  ${cut}`
}
