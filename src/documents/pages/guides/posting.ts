import { exampleAccount } from '../../../accounts/account-record.ts'
import { exceptionIds, exceptions, requirements, trustThresholds } from '../../../accounts/trust/trust-rules.ts'
import { draftLimits } from '../../../contract/draft-limits.ts'
import { inputSchema } from '../../../contract/generators/json-schema.ts'
import { exampleDraftAnswer } from '../../../drafts/draft-record.ts'
import { type DraftState, draftStates } from '../../../drafts/draft-states.ts'
import type { Kind } from '../../../kinds/index.ts'
import { prices } from '../../../ledger/prices.ts'
import { money } from '../../../markup/money.ts'
import { reviewReasonIds, reviewReasons } from '../../../policy/reasons.ts'
import { exampleReview } from '../../../posts/review/review-record.ts'
import { type PostStatus, postMoves, postStatuses } from '../../../posts/status/lifecycle.ts'
import { describeRefusal } from '../../../posts/status/statement-of-reasons.ts'
import { examplePostId } from '../../../posts/status/status-record.ts'
import type { DocumentSite } from '../document-site.ts'
import { exampleFences } from '../examples/call-fences.ts'
import { answerFence, operationNamed } from '../examples/examples.ts'
import type { TextFacts } from '../fill.ts'
import { jsonFence, markCode, markdownTable } from '../markdown-parts.ts'
import { fieldsOf } from '../schema-fields.ts'

export function postingFacts(site: DocumentSite): TextFacts {
  const { kind, baseUrl } = site
  return {
    fields: fieldsTable(kind),
    example: jsonFence(kind.examples[0]),
    places: 'location' in kind.content.shape ? places(site) : '',
    my_posts: exampleFences(site, 'listMyPosts'),
    prices: markdownTable(['What', 'Price'], priceRows(kind)),
    statuses: markdownTable(
      ['`status`', 'Meaning'],
      postStatuses.map((status) => [`\`${status}\``, meaningOf[status]]),
    ),
    moves: markdownTable(
      ['From', 'To'],
      postStatuses.map((status) => [
        `\`${status}\``,
        postMoves[status].map((next) => `\`${next}\``).join(', ') || 'none',
      ]),
    ),
    review: jsonFence({ review: exampleReview }),
    review_reasons: markdownTable(
      ['`reason`', 'Meaning'],
      reviewReasonIds.map((id) => [`\`${id}\``, reviewReasons[id]]),
    ),
    fee_return_hours: String(site.feeReturnHours),
    consequences,
    refusal: jsonFence({ rejection: { ...exampleRefusal(baseUrl), appeal: null } }),
    appeal: exampleFences(site, 'appealPost'),
    edit: exampleFences(site, 'editPost', editExample(kind)),
    edit_surcharge:
      kind.linkSurchargeMicros > 0
        ? `, plus ${money(kind.linkSurchargeMicros)} for each link that you have not paid for yet`
        : '',
    trust: jsonFence({ trust: exampleAccount.trust }),
    trust_requirements: bullets(requirements.map(({ says }) => says(trustThresholds))),
    trust_exceptions: bullets(exceptionIds.map((id) => exceptions[id].says(trustThresholds))),
    delete: exampleFences(site, 'deletePost'),
    draft_answer: jsonFence(exampleDraftAnswer(kind)),
    draft_states: markdownTable(
      ['`state`', 'Meaning'],
      draftStates.map((state) => [`\`${state}\``, draftMeaningOf[state]]),
    ),
    scheduled_days: String(draftLimits.scheduledDays),
    approval_days: String(draftLimits.approvalDays),
    max_drafts: String(draftLimits.maxOpen),
  }
}

const places = (site: DocumentSite): string => `## Places

You need not know the codes of a place. Send its name, in any common spelling and language, and use a \`location\` of the response as it is. The call is free and needs no key; the tool is \`find_place\`:

${exampleFences(site, 'findPlaces')}

${answerFence(site, operationNamed(site, 'findPlaces'))}`

const bullets = (sentences: readonly string[]) => sentences.map((sentence) => `- ${sentence}`).join('\n')

const exampleRefusal = (baseUrl: string) =>
  describeRefusal({
    baseUrl,
    postId: examplePostId,
    category: 'spam',
    automated: true,
    refunded: false,
    strike: true,
    canAppeal: true,
  })

function fieldsTable(kind: Kind): string {
  const rows = fieldsOf(inputSchema(kind.body)).map(({ path, type, isRequired, description, limits, example }) => [
    `\`${path}\` ${isRequired ? '**required**' : 'optional'}`,
    [type, ...limits].join('; '),
    [markCode(description), ...(example === undefined ? [] : [`Example: \`${example}\``])].join(' '),
  ])
  return markdownTable(['Field', 'Type and limits', 'Description'], rows)
}

export const priceRows = (kind: Kind): string[][] => [
  ['a post on this site', money(kind.priceMicros)],
  ...(kind.linkSurchargeMicros > 0 ? [['each http(s) link in its text', money(kind.linkSurchargeMicros)]] : []),
  ['an edit', money(prices.editMicros)],
  [
    'an abusive post, in total',
    `${prices.abuseMultiplier} times the price of the post: ${money(kind.priceMicros * prices.abuseMultiplier)}`,
  ],
  ['checking with `dry_run=true`, reading, deleting, appealing', 'free'],
]

/** Changes one field: shortens a list if the kind has one, else repeats the first field. */
function editExample(kind: Kind): { idempotencyKey: string; body: object } {
  const members = Object.entries<unknown>(kind.examples[0] as Record<string, unknown>)
  const list = members.find(([, value]) => Array.isArray(value))
  const change = list ? [[list[0], (list[1] as unknown[]).slice(0, 1)]] : members.slice(0, 1)
  return { idempotencyKey: 'my-first-edit', body: Object.fromEntries(change) }
}

const meaningOf: Record<PostStatus, string> = {
  queued: 'Accepted for moderation and charged. The model has not decided yet.',
  review:
    'A person reviews it. `review` gives the reason and the expected time of the decision; see [In review](#in-review).',
  published: 'Public at `url`.',
  rejected: 'Not published. `rejection` says why, whether the fee was refunded, and whether a strike was added.',
  removed:
    'A person removed it after publication. `removal` says why, with the same fields as `rejection`. Its page returns 410.',
  deleted: 'You deleted it. The text is erased; its page returns 410.',
}

const draftMeaningOf: Record<DraftState, string> = {
  awaiting_approval: 'The owner must approve it before `expires_at`.',
  scheduled: 'It is submitted at `publish_at`, or within seconds if it was just approved.',
  submitted: 'It was charged and is the post `post_id`.',
  declined: 'The owner declined it.',
  failed: 'It was refused when its time came; see `problem`.',
  expired: 'The owner did not approve it in time.',
  cancelled: 'You cancelled it.',
}

const consequences = markdownTable(
  ['Decision', 'Money', 'Strike'],
  [
    ['published', 'the fee is kept, unless it was returned [in review](#in-review)', 'no'],
    ['rejected: low quality', 'everything is refunded immediately', 'no'],
    ['rejected: abuse', `${prices.abuseMultiplier} times the post price in total`, 'yes'],
    ['removed: abuse', `${prices.abuseMultiplier} times the post price in total`, 'yes'],
    ['removed: low quality', 'the fee is kept', 'no'],
    ['deleted by you', 'no refund', 'no'],
  ],
)
