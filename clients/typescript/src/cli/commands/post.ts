import type { Kind } from '../../index.ts'
import type { ExitName } from '../command-table.ts'
import { type Context, openKeyedClient } from '../context.ts'
import { postLines } from '../posts/describe-post.ts'
import { readBody, withPlace } from '../posts/post-body.ts'
import { time, usd } from '../terminal/text.ts'
import { waitAndPrint } from './wait.ts'

export async function post(context: Context): Promise<ExitName> {
  const { args, out, text } = context
  const kind = args[0] as Kind
  const given = await readBody(context, args[1])
  const client = await openKeyedClient(context)
  const body = (await withPlace(context, client, given, kind)) as never
  const idempotencyKey = text('idempotency-key')
  const options = idempotencyKey === undefined ? {} : { idempotencyKey }
  const publishAt = text('publish-at')
  if (publishAt !== undefined) {
    const draft = await client.schedule(kind, body, publishAt, options)
    out.document({ draft })
    out.print(`${out.style('yellow', draft.state)}  ${kind}  ${out.style('bold', draft.id)}`)
    if (draft.publish_at) out.print(`Publish at:  ${time(draft.publish_at)}`)
    out.print(`Price:       ${usd(draft.total_micros)}, charged at that time`)
    return 'ok'
  }
  const queued = await client.publish(kind, body, options)
  if (!context.isSet('no-wait')) return waitAndPrint(context, client, queued)
  out.document(queued)
  for (const line of postLines(queued, out.style)) out.print(line)
  return 'ok'
}
