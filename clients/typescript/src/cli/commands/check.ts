import type { Kind } from '../../index.ts'
import { type Context, openKeyedClient } from '../context.ts'
import { readBody, withPlace } from '../posts/post-body.ts'
import { oneLine, usd } from '../terminal/text.ts'

export async function check(context: Context): Promise<void> {
  const { args, out } = context
  const kind = args[0] as Kind
  const body = await readBody(context, args[1])
  const client = await openKeyedClient(context)
  const checked = await client.check(kind, (await withPlace(context, client, body, kind)) as never)
  const { charge, balance_micros, balance_after_micros, prefilter, moderation } = checked
  out.document(checked)
  out.print(out.style('green', 'The post is valid. Nothing was stored or charged.'))
  const links = charge.links_micros > 0 ? ` (post ${usd(charge.post_micros)}, links ${usd(charge.links_micros)})` : ''
  out.print(`Price:       ${usd(charge.total_micros)}${links}`)
  out.print(`Balance:     ${usd(balance_micros)}, afterwards ${usd(balance_after_micros)}`)
  out.print(`Moderation:  ${moderation.state}`)
  for (const note of prefilter.notes) out.print(`Note:        ${oneLine(note)}`)
}
