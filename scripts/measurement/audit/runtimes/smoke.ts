// Runs in every runtime and in a browser, so it imports only types and uses only what all of them have.
import type * as Library from '../../../../clients/typescript/src/index.ts'

/** Uses each part of the client once against the smoke server. Returns what it has seen. */
export async function smoke(library: typeof Library, baseUrl: string): Promise<string[]> {
  const { Broadside, InsufficientBalanceError, isProblem, verifyWebhook, WebhookVerificationError } = library
  const broadside = new Broadside({ baseUrl, apiKey: 'bsk_smoke' })
  const seen: string[] = []

  const posted = await broadside.publish('message', { text: 'é🌊' })
  seen.push(posted.status, (await broadside.waitForDecision(posted)).status)
  seen.push(String((await broadside.withResponse.getStatus()).status))
  for await (const { id } of broadside.posts('message')) seen.push(id)
  for await (const { id, data } of broadside.stream({ kind: 'all' })) {
    seen.push(`${id}:${data.id}`)
    if (id === '3') break
  }
  seen.push(
    await broadside.getAccount().then(
      () => 'nothing thrown',
      (error: unknown) =>
        error instanceof InsufficientBalanceError && isProblem(error, 'insufficient_balance')
          ? `${error.name} ${error.accountUrl}`
          : String(error),
    ),
  )
  const stopped = broadside.listWebhooks({ signal: AbortSignal.abort(new Error('stopped')) })
  seen.push(await stopped.then(String, (error: Error) => error.message))
  const refused = verifyWebhook('{}', new Headers(), 'whsec_c21va2Utc21va2Utc21va2Utc21va2U=')
  seen.push(await refused.then(String, (error: unknown) => String(error instanceof WebhookVerificationError)))
  return seen
}

/** What `smoke` must have seen. */
export const expectedSights = [
  ...['queued', 'published', '200', 'post_1', 'post_2', 'post_3', '1:é', '2:🌊', '3:end'],
  ...['InsufficientBalanceError https://account.example/o/t', 'stopped', 'true'],
]
