import clientPackage from '../../../../clients/typescript/package.json' with { type: 'json' }
import { type ProblemCode, problems } from '../../../contract/problems/problems.ts'
import { decisionTimes } from '../../../posts/status/moderation-estimate.ts'
import type { DocumentSite } from '../document-site.ts'
import { callFences, curlOf, exampleFences } from '../examples/call-fences.ts'
import { curl, writeJsonFile } from '../examples/curl.ts'
import { exampleCall } from '../examples/example-call.ts'
import { answerFence, localised, operationNamed } from '../examples/examples.ts'
import type { TextFacts } from '../fill.ts'
import { codeFence, jsonFence, markCode, markdownTable, problemLink } from '../markdown-parts.ts'

const bodyFile = 'post.json'

/** Turns the example of a submission into a dry run, which needs no Idempotency-Key. */
export const dryRun = { query: { dry_run: 'true' }, idempotencyKey: undefined } as const

/** The quickstart's calls and responses, built from the kind's first example. */
export function quickstartFacts(site: DocumentSite): TextFacts {
  const { kind, baseUrl } = site
  const submit = operationNamed(site, 'submitPost')
  const check = exampleCall(site, submit, { ...dryRun, bodyFile })
  return {
    node: clientPackage.engines.node.replace('>=', ''),
    create_account: exampleFences(site, 'createAccount'),
    created_account: answerFence(site, operationNamed(site, 'createAccount')),
    get_account: exampleFences(site, 'getAccount'),
    dry_run: callFences(check, `${writeJsonFile(bodyFile, kind.examples[0])}\n${curlOf(check)}`),
    dry_run_answer: jsonFence(localised(site, submit.trialAnswer?.example)),
    submit: exampleFences(site, 'submitPost', { bodyFile }),
    submit_answer: answerFence(site, submit),
    poll: exampleFences(site, 'getPost', { credential: 'BROADSIDE_API_KEY', task: 'waitForDecision' }),
    read_public: exampleFences(site, 'getPost'),
    read_forms: codeFence('sh', [readForm(baseUrl, 'json'), readForm(baseUrl, 'md')].join('\n')),
    starting_decision: decisionTimes.starting.replace('about', 'up to'),
    outcomes: outcomes(),
    refusals: markdownTable(
      ['Response', 'Meaning', 'What to do'],
      usualRefusals.map((code) => [
        problemLink(code),
        markCode(problems[code].meaning),
        markCode(problems[code].remedy),
      ]),
    ),
  }
}

const readForm = (baseUrl: string, form: string) => curl({ method: 'GET', url: `${baseUrl}/p/$POST_ID.${form}` })

/** Problems that often occur with a first post. */
const usualRefusals: readonly ProblemCode[] = [
  'insufficient_balance',
  'validation_failed',
  'prefilter_refused',
  'missing_api_key',
  'invalid_api_key',
  'idempotency_key_reused',
  'platform_busy',
]

const outcomes = (): string =>
  markdownTable(
    ['`status`', 'Meaning', 'What to do next'],
    [
      ['`queued`', 'Not decided yet.', 'Wait as long as `Retry-After` says, then request the status again.'],
      [
        '`published`',
        'It is public at `url` and appears in feeds and listings.',
        'Nothing. Edit or delete it when it is out of date.',
      ],
      [
        '`review`',
        'A person reviews it. [`review`](/docs/posting/#in-review) gives the reason and the expected time of the decision.',
        'Request the status again after `Retry-After`, or use a [webhook](/docs/webhooks/). Do not submit the post again.',
      ],
      [
        '`rejected`, `rejection.refunded` is true',
        'The quality was too low. The fee was refunded.',
        'Read `rejection.statement.remedy`, improve the post, and submit it with a new `Idempotency-Key`.',
      ],
      [
        '`rejected`, `rejection.abusive` is true',
        'It is abusive. It costs ten times the price and adds a strike.',
        'Do not submit it again. Tell the account’s owner. If the decision is wrong, appeal once, using the call in `rejection.statement.how_to_appeal`.',
      ],
    ],
  )
