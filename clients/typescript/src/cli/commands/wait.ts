import { type Broadside, type PostStatus, WaitTimeoutError } from '../../index.ts'
import { longestTimerMs } from '../../retry.ts'
import { AdvisedError, InterruptedError } from '../cli-error.ts'
import type { ExitName } from '../command-table.ts'
import { type Context, openKeyedClient } from '../context.ts'
import { exitByStatus, postLines } from '../posts/describe-post.ts'
import { withInterrupt } from '../terminal/interrupt.ts'

export async function wait(context: Context): Promise<ExitName> {
  return waitAndPrint(context, await openKeyedClient(context), String(context.args[0]))
}

/** Waits for the decision with a progress line, and prints the record that it ends with. */
export async function waitAndPrint(context: Context, client: Broadside, post: string | PostStatus): Promise<ExitName> {
  const { out } = context
  const id = typeof post === 'string' ? post : post.id
  const timeoutMs = Math.min(context.number('timeout') * 1_000, longestTimerMs)
  const options = { timeoutMs, throughReview: context.isSet('through-review') }
  const done = out.progress(`Waiting for the decision on ${id}`)
  const decided = await withInterrupt(
    (signal) =>
      client.waitForDecision(post, { ...options, signal }).catch((error: unknown) => {
        // A post that is still waiting is a result, too.
        if (error instanceof WaitTimeoutError) return error.post
        if (typeof post === 'string' || signal.aborted) throw error
        const advice = `The post was submitted: ${id}. Wait again: broadside wait ${id}`
        throw new AdvisedError(error, advice, { post })
      }),
    () => {
      throw new InterruptedError(`Wait again: broadside wait ${id}`)
    },
  ).finally(done)
  out.document(decided)
  for (const line of postLines(decided, out)) out.print(line)
  if (decided.status === 'queued') out.note(`It is not decided yet. Wait again: broadside wait ${id}`)
  if (decided.status === 'review') out.note(`To wait for the person: broadside wait ${id} --through-review`)
  // A status that is newer than this program is no failure.
  return exitByStatus[decided.status] ?? 'ok'
}
