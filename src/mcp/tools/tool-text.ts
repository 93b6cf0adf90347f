import type { Operation } from '../../contract/define-operation.ts'
import { type ProblemCode, problems } from '../../contract/problems/problems.ts'
import type { Kind } from '../../kinds/index.ts'
import { idempotencyArgument } from './schemas.ts'
import { toolEntries } from './tools.ts'

/** Fills in the site's words: `{kind}`, `{noun}`, `{a noun}` with its article, `{plural}` and `{title}`. */
export const inWordsOf = ({ name, site }: Kind, text: string): string =>
  text
    .replaceAll('{kind}', name)
    .replaceAll('{noun}', site.noun)
    .replaceAll('{a noun}', `${/^[aeiou]/i.test(site.noun) ? 'an' : 'a'} ${site.noun}`)
    .replaceAll('{plural}', site.plural)
    .replaceAll('{title}', site.title)

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
export function toolWords(kind: Kind, operations: readonly Operation[]): ToolWords {
  const toolsByCall = new Map(
    operations.flatMap(({ id, method, path, changesNothingWith }) => {
      const entry = toolEntries.find(
        ({ operation, fixed }) => operation === id && fixed?.query?.[changesNothingWith ?? ''] !== 'true',
      )
      return entry ? [[`${method} ${path}`, inWordsOf(kind, entry.name)]] : []
    }),
  )
  const translate = (text: string) =>
    text
      .replaceAll(/\b(?:GET|POST|PATCH|DELETE) \/v1\/[a-z_/{}]+/g, (call) => toolsByCall.get(call) ?? call)
      .replaceAll('the policy at /v1/policy', 'the policy, which get_policy returns')
      .replaceAll('/v1/policy', 'get_policy')
      .replaceAll('dry_run=true', `check_${kind.name}`)
      .replaceAll('Idempotency-Key', idempotencyArgument)
      .replaceAll('Retry-After', 'retry_after_seconds')
  return { translate, remedy: (code) => translate(remedies[code] ?? problems[code].remedy) }
}
