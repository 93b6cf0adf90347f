import type { Operation } from '../contract/define-operation.ts'
import { type ProblemCode, problems } from '../contract/problems/problems.ts'
import type { Kind } from '../kinds/index.ts'
import { idempotencyArgument } from './schemas.ts'
import { toolEntries } from './tools.ts'

/** The text in the words of one site: `{kind}`, `{noun}`, `{a noun}` with its article, `{plural}`. */
export const inWordsOf = ({ name, site }: Kind, text: string): string =>
  text
    .replaceAll('{kind}', name)
    .replaceAll('{noun}', site.noun)
    .replaceAll('{a noun}', `${/^[aeiou]/i.test(site.noun) ? 'an' : 'a'} ${site.noun}`)
    .replaceAll('{plural}', site.plural)
    .replaceAll('{title}', site.title)

/** Says in the words of tools what the contract says to callers over HTTP. */
export type ToolWords = { translate: (text: string) => string; remedy: (code: ProblemCode) => string }

/** Where a model can do something else than a program that speaks HTTP. */
const remedies: Partial<Record<ProblemCode, string>> = {
  missing_api_key:
    'Ask the person you act for to set the header `Authorization: Bearer <API key>` of this connection; create_account makes an account and a key.',
  invalid_query: 'Correct the arguments that `errors` points at.',
  validation_failed: 'Correct every argument that `errors` points at.',
  rate_limited: 'Go on after 00:00 UTC.',
}

/** Operations are tools here, and headers are arguments or members. */
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
