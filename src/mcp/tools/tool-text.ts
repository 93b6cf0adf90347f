import type { Operation } from '../../contract/define-operation.ts'
import { type ProblemCode, problems } from '../../contract/problems/problems.ts'
import type { Kind } from '../../kinds/index.ts'
import { idempotencyArgument } from './schemas.ts'
import { toolEntries } from './tools.ts'

/** What a server calls the posts that it publishes. `kind` is the end of tool names such as `publish_story`. */
export type ServerWords = { kind: string; noun: string; plural: string; title: string }

export const siteWordsOf = ({ name, site: { noun, plural, title } }: Kind): ServerWords => ({
  kind: name,
  noun,
  plural,
  title,
})

/** The words of the server for all sites. */
export const commonWords: ServerWords = { kind: 'post', noun: 'post', plural: 'posts', title: 'Broadside' }

/** Fills in the server's words: `{kind}`, `{noun}`, `{a noun}` with its article, `{plural}` and `{title}`. */
export const inWordsOf = ({ kind, noun, plural, title }: ServerWords, text: string): string =>
  text
    .replaceAll('{kind}', kind)
    .replaceAll('{noun}', noun)
    .replaceAll('{a noun}', `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`)
    .replaceAll('{plural}', plural)
    .replaceAll('{title}', title)

/** Rewords the contract's HTTP texts in terms of tools. */
export type ToolWords = { translate: (text: string) => string; remedy: (code: ProblemCode) => string }

/** Remedies that are different for models than for HTTP clients. */
const remedies: Partial<Record<ProblemCode, string>> = {
  missing_api_key:
    'Ask the person you act for to set the header `Authorization: Bearer <API key>` for this connection. create_account creates an account and returns a key.',
  invalid_query: 'Correct the arguments listed in `errors`.',
  validation_failed: 'Correct every argument listed in `errors`.',
  rate_limited: 'Try again after 00:00 UTC.',
}

/** Replaces operations with tools, and headers with arguments or fields. */
export function toolWords(words: ServerWords, operations: readonly Operation[]): ToolWords {
  const toolsByCall = new Map(
    operations.flatMap(({ id, method, path, changesNothingWith }) => {
      const entry = toolEntries.find(
        ({ operation, fixed }) => operation === id && fixed?.query?.[changesNothingWith ?? ''] !== 'true',
      )
      return entry ? [[`${method} ${path}`, inWordsOf(words, entry.name)]] : []
    }),
  )
  const translate = (text: string) =>
    text
      .replaceAll(/\b(?:GET|POST|PUT|PATCH|DELETE) \/v1\/[a-z_/{}]+/g, (call) => toolsByCall.get(call) ?? call)
      .replaceAll('the policy at /v1/policy', 'the policy, which get_policy returns')
      .replaceAll('/v1/policy', 'get_policy')
      .replaceAll('dry_run=true', `check_${words.kind}`)
      .replaceAll('Idempotency-Key', idempotencyArgument)
      .replaceAll('Retry-After', 'retry_after_seconds')
  return { translate, remedy: (code) => translate(remedies[code] ?? problems[code].remedy) }
}

/** The problems that a model is most likely to meet, and what to do. The instructions explain the others. */
export const likelyProblems: Partial<Record<ProblemCode, string>> = {
  insufficient_balance: 'give account_url to the owner, then repeat the call',
  email_unverified: 'give account_url to the owner',
  prefilter_refused: 'change what `reason` says',
  invalid_state: 'see its status with get_post',
  too_many_webhooks: 'delete one first',
}
