import {
  ApprovalRequiredError,
  BroadsideProblem,
  type CallOptions,
  ConfigurationError,
  type Kind,
} from '../../index.ts'
import { AdvisedError, InterruptedError } from '../cli-error.ts'
import type { ExitName } from '../command-table.ts'
import { type Context, openKeyedClient } from '../context.ts'
import { postLines } from '../posts/describe-post.ts'
import { readBody, withPlace } from '../posts/post-body.ts'
import { withInterrupt } from '../terminal/interrupt.ts'
import { time, usd } from '../terminal/text.ts'
import { waitAndPrint } from './wait.ts'

export async function post(context: Context): Promise<ExitName> {
  const { args, out, text } = context
  const kind = args[0] as Kind
  const given = await readBody(context, args[1])
  const client = await openKeyedClient(context)
  const body = (await withPlace(context, client, given, kind)) as never
  // Asked before: if this fails, nothing was submitted.
  await client.siteUrl(kind)
  const idempotencyKey = text('idempotency-key') ?? crypto.randomUUID()
  const publishAt = text('publish-at')
  if (publishAt !== undefined) {
    const draft = await submit(idempotencyKey, (options) => client.schedule(kind, body, publishAt, options))
    out.document({ draft })
    out.print(`${out.style('yellow', draft.state)}  ${kind}  ${out.style('bold', draft.id)}`)
    if (draft.publish_at) out.print(`Publish at:  ${time(draft.publish_at)}`)
    out.print(`Price:       ${usd(draft.total_micros)}, charged at that time`)
    return 'ok'
  }
  const queued = await submit(idempotencyKey, (options) => client.publish(kind, body, options))
  if (!context.isSet('no-wait')) return waitAndPrint(context, client, queued)
  out.document(queued)
  for (const line of postLines(queued, out)) out.print(line)
  return 'ok'
}

/** Without a clear response it is unknown whether the post was submitted. The same key makes a second try safe. */
async function submit<Result>(idempotencyKey: string, send: (options: CallOptions) => Promise<Result>) {
  const advice = `The post may have been submitted. To try again without publishing twice, add --idempotency-key ${idempotencyKey}`
  return withInterrupt(
    async (signal) => {
      try {
        return await send({ idempotencyKey, signal })
      } catch (error) {
        throw signal.aborted || isCertain(error) ? error : new AdvisedError(error, advice)
      }
    },
    () => {
      throw new InterruptedError(advice)
    },
  )
}

/** Whether the error says that nothing was submitted, or what was. */
const isCertain = (error: unknown): boolean =>
  error instanceof ApprovalRequiredError ||
  error instanceof ConfigurationError ||
  (error instanceof BroadsideProblem && error.status < 500)
