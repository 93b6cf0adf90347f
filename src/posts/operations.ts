import { z } from 'zod'
import { defineOperation } from '../contract/define-operation.ts'
import { draftLimits } from '../contract/draft-limits.ts'
import { micros, timestamp } from '../contract/fields.ts'
import type { Kind } from '../kinds/index.ts'
import { prices } from '../ledger/prices.ts'
import { money } from '../markup/money.ts'
import { countWindows } from '../text-analysis/count-windows.ts'
import { deletePost } from './deletion.ts'
import { eventId, eventList, listEvents } from './events.ts'
import { getPost, ownStatus } from './get-post.ts'
import { type BrowseQuery, browsePosts, browseQuery } from './public/browse-posts.ts'
import { withOtherSite } from './public/find-post-kind.ts'
import { contentTrustField, examplePublicPost, publicPostOf } from './public/public-post.ts'
import { type Estimate, postWindows } from './status/moderation-estimate.ts'
import { exampleEstimate, examplePostId, exampleStatus, postId, statusRecord } from './status/status-record.ts'
import type { Drafting } from './submit/drafting.ts'
import { editPost } from './submit/edit-post.ts'
import { submitPost } from './submit/submit-post.ts'

const tag = 'Posts'
const params = z.object({ id: postId })
const exampleParams = { id: examplePostId }
const retryAfter = { 'Retry-After': 'Seconds until the next poll, while the post awaits a decision.' }

/** What other features provide: `estimate` predicts when a decision will be made, `drafting` keeps what must wait. */
type Providers = { estimate: Estimate; drafting: Drafting }

const dryRunAnswer = z
  .strictObject({
    dry_run: z.literal(true),
    kind: z.string(),
    charge: z.strictObject({ post_micros: micros, links_micros: micros, total_micros: micros }),
    balance_micros: micros,
    balance_after_micros: micros,
    standing: z.literal('good'),
    prefilter: z.strictObject({ passed: z.literal(true), notes: z.array(z.string()) }),
    moderation: z.strictObject({ state: z.enum(['running', 'starting']), estimated_decision_at: timestamp }),
  })
  .meta({ component: 'DryRun' })

const submit = (kind: Kind, { estimate, drafting }: Providers) =>
  defineOperation({
    id: 'submitPost',
    method: 'POST',
    path: '/v1/posts',
    access: 'key',
    scopes: ['publish', 'publish_with_approval'],
    whenBanned: 'refused',
    successStatus: 202,
    tag,
    summary: 'Submit a post',
    description:
      `Costs ${money(kind.priceMicros)}, charged immediately` +
      (kind.linkSurchargeMicros > 0 ? `, plus ${money(kind.linkSurchargeMicros)} for each http(s) link. ` : '. ') +
      'The post is queued and moderated. Poll GET /v1/posts/{id} or use webhooks to get the outcome. A retry with the ' +
      'same Idempotency-Key and body gets the first response and costs nothing. dry_run=true runs every check except ' +
      'moderation, and stores and charges nothing. It cannot predict whether a person will review the post. With ' +
      'publish_at, or with a key whose posts the owner approves, the response is a draft, which costs nothing until it ' +
      'is submitted: see GET /v1/drafts/{id}.',
    query: z.strictObject({
      dry_run: z
        .enum(['true', 'false'])
        .optional()
        .transform((text) => text === 'true')
        .pipe(z.boolean())
        .meta({ description: 'Set to `true` to validate and price the post without submitting it. Response: 200.' }),
      publish_at: z.iso
        .datetime({ offset: true })
        .optional()
        .meta({
          description: `Keeps the post as a draft and submits it at this time, at most ${draftLimits.scheduledDays} days ahead. RFC 3339.`,
          examples: ['2026-11-20T08:00:00Z'],
        }),
    }),
    body: kind.body,
    output: z.union([statusRecord, drafting.answer]),
    problems: ['prefilter_refused', 'rate_limited', 'insufficient_balance', 'too_many_drafts'],
    takesIdempotencyKey: true,
    identifiedAlsoBy: 'publish_at',
    changesNothingWith: 'dry_run',
    trialAnswer: {
      status: 200,
      output: dryRunAnswer,
      example: {
        dry_run: true,
        kind: kind.name,
        charge: { post_micros: kind.priceMicros, links_micros: 0, total_micros: kind.priceMicros },
        balance_micros: 1_000_000,
        balance_after_micros: 1_000_000 - kind.priceMicros,
        standing: 'good',
        prefilter: { passed: true, notes: [] },
        moderation: { state: 'running', estimated_decision_at: exampleEstimate.estimated_decision_at },
      },
    },
    answerHeaders: {
      ...retryAfter,
      Location: 'URL of the new post’s status record, or of the draft.',
    },
    examples: { body: kind.examples[0], output: exampleStatus(kind.name, kind.priceMicros) },
    handle: async (call, { body, query }) => {
      const { accountId, needsApproval } = call.caller
      const submission = { kind, body, dryRun: query.dry_run }
      const estimated = () => estimate(call, { accountId, windows: postWindows(kind, body) })
      if (!needsApproval && query.publish_at === undefined)
        return submitPost(call, { ...submission, moderation: await estimated() })
      const publishAt = query.publish_at === undefined ? null : new Date(query.publish_at)
      return drafting.create(call, { ...submission, publishAt, estimate: estimated })
    },
  })

const read = (kind: Kind, estimate: Estimate) =>
  defineOperation({
    id: 'getPost',
    method: 'GET',
    path: '/v1/posts/{id}',
    access: 'anyone',
    whenBanned: 'allowed',
    successStatus: 200,
    tag,
    summary: 'Read a post',
    description:
      'With a key of the account that posted it: the status record, with the charges, the reason for a refusal or the reason for a review by a person. ' +
      'For everyone else: the public post, once it is published. Text under `content` is untrusted user content.',
    params,
    output: z.union([statusRecord, publicPostOf(kind)]),
    problems: ['post_not_found', 'post_gone'],
    revalidates: true,
    answerHeaders: retryAfter,
    examples: { params: exampleParams, output: examplePublicPost(kind) as never },
    handle: (call, { params: { id } }) => withOtherSite(call, id, () => getPost(call, { kind, estimate, id })),
  })

const browse = (kind: Kind) =>
  defineOperation({
    id: 'browsePosts',
    method: 'GET',
    path: '/v1/posts',
    access: 'anyone',
    whenBanned: 'allowed',
    successStatus: 200,
    tag,
    summary: 'Browse published posts',
    description:
      'Newest first, free and unmetered, without expired ads and past events. The cursor stays valid while new ' +
      'posts appear. Text under `content` is untrusted user content.',
    query: browseQuery(kind),
    output: z
      .strictObject({
        data: z.array(publicPostOf(kind)),
        next_cursor: z.string().nullable(),
        content_trust: contentTrustField,
      })
      .meta({ component: 'PostList' }),
    problems: [],
    revalidates: true,
    answerHeaders: { Link: 'Link to the next page, `rel="next"`.' },
    examples: {
      output: {
        data: [examplePublicPost(kind)] as never,
        next_cursor: null,
        content_trust: 'untrusted-user-content',
      },
    },
    handle: (call, { query }) => browsePosts(call, kind, query as BrowseQuery),
  })

const edit = (kind: Kind, estimate: Estimate) =>
  defineOperation({
    id: 'editPost',
    method: 'PATCH',
    path: '/v1/posts/{id}',
    access: 'key',
    scopes: ['publish'],
    whenBanned: 'refused',
    successStatus: 202,
    tag,
    summary: 'Edit a published post',
    description:
      `Costs ${money(prices.editMicros)}, plus the surcharge for links that you have not paid for. Send the ` +
      'fields to change; null removes an optional field. The published version stays up until the edit is accepted.',
    params,
    body: kind.editBody,
    output: statusRecord,
    problems: ['post_not_found', 'invalid_state', 'prefilter_refused', 'rate_limited', 'insufficient_balance'],
    takesIdempotencyKey: true,
    answerHeaders: retryAfter,
    examples: {
      params: exampleParams,
      body: kind.examples[1] ?? kind.examples[0],
      output: {
        ...exampleStatus(kind.name, kind.priceMicros + prices.editMicros),
        edit: { status: 'queued', submitted_at: '2026-11-15T12:30:00.000Z', moderation: exampleEstimate },
      },
    },
    handle: async (call, { params: { id }, body: changes }) => {
      // An edit contains only the fields to change.
      const place = { accountId: call.caller.accountId, windows: countWindows(JSON.stringify(changes)) }
      const moderation = await estimate(call, place)
      return withOtherSite(call, id, () => editPost(call, { kind, id, changes, moderation }))
    },
  })

const remove = (kind: Kind, estimate: Estimate) =>
  defineOperation({
    id: 'deletePost',
    method: 'DELETE',
    path: '/v1/posts/{id}',
    access: 'key',
    scopes: ['publish'],
    whenBanned: 'allowed',
    successStatus: 200,
    tag,
    summary: 'Delete your post',
    description:
      'Permanent: the text is erased, the page returns 410, and the fee is not refunded. A post that is still queued will ' +
      'not be moderated. Repeating the call is harmless.',
    params,
    output: statusRecord,
    problems: ['post_not_found'],
    examples: { params: exampleParams, output: { ...exampleStatus(kind.name, kind.priceMicros), status: 'deleted' } },
    handle: async (call, input) => {
      await withOtherSite(call, input.params.id, () => deletePost(call, kind, input.params.id))
      return ownStatus(call, { kind, estimate, id: input.params.id })
    },
  })

const pollEvents = defineOperation({
  id: 'listEvents',
  method: 'GET',
  path: '/v1/events',
  access: 'key',
  whenBanned: 'allowed',
  successStatus: 200,
  tag,
  summary: 'Poll your events',
  description:
    'Events about your posts and drafts on all four sites, oldest first: the same events that webhooks deliver.',
  query: z.strictObject({
    after: eventId.optional().meta({
      description:
        'Return events after this one. If the event no longer exists, the list continues a minute before its time and may repeat events.',
    }),
    limit: z.coerce.number().int().min(1).max(100).default(20).meta({ description: 'Number of results.' }),
  }),
  output: eventList,
  problems: [],
  examples: {
    output: {
      data: [
        {
          id: 'evt_01jcmzq8e5f7r9t2v4x6y8z0ab',
          type: 'post.published',
          timestamp: '2026-11-15T12:00:03.000Z',
          data: {
            id: examplePostId,
            kind: 'message',
            status: 'published',
            url: `https://messages.broadside.example/p/${examplePostId}`,
          },
        },
      ],
      next_cursor: null,
    },
  },
  handle: (call, { query }) => listEvents(call, query),
})

/** The post operations of one kind's site. */
export const postOperations = (kind: Kind, { estimate, drafting }: Providers) => [
  submit(kind, { estimate, drafting }),
  browse(kind),
  read(kind, estimate),
  edit(kind, estimate),
  remove(kind, estimate),
  pollEvents,
]
