import { z } from 'zod'
import { defineOperation } from '../contract/define-operation.ts'
import { draftLimits } from '../contract/draft-limits.ts'
import { keptFor } from '../contract/retention/periods.ts'
import type { Kind } from '../kinds/index.ts'
import { contentTrustField } from '../posts/public/public-post.ts'
import { cancelDraft } from './cancel-draft.ts'
import { draftId, draftWithTextOf, exampleDraft, exampleDraftId } from './draft-record.ts'
import { draftStates } from './draft-states.ts'
import { listDrafts, readDraft } from './read-drafts.ts'

const tag = 'Drafts'
const params = z.object({ id: draftId })
const exampleParams = { id: exampleDraftId }

/** The operations on drafts of all kinds, the same on every site. */
export function draftOperations(kinds: readonly Kind[]) {
  const draft = draftWithTextOf(kinds)
  const kind = kinds[0] as Kind
  const example = { ...exampleDraft(kind), content_trust: 'untrusted-user-content' as const, content: null } as never
  const waiting = { ...exampleDraft(kind), state: 'scheduled', post_id: undefined, decided_at: undefined } as never
  const withText = {
    ...JSON.parse(JSON.stringify(waiting)),
    content_trust: 'untrusted-user-content',
    content: kind.examples[0],
  } as never
  const list = defineOperation({
    id: 'listDrafts',
    method: 'GET',
    path: '/v1/drafts',
    access: 'key',
    whenBanned: 'allowed',
    successStatus: 200,
    tag,
    summary: 'List your drafts',
    description:
      'Posts that wait for the owner or for publish_at, on all four sites, and what became of them, newest first. ' +
      `At most ${draftLimits.maxOpen} can wait. A draft is deleted ${keptFor('drafts')} after it ended.`,
    query: z.strictObject({
      state: z.enum(draftStates).optional().meta({ description: 'Only drafts in this state.' }),
      limit: z.coerce.number().int().min(1).max(100).default(20).meta({ description: 'Number of results.' }),
      cursor: draftId.optional().meta({
        description: 'The next_cursor from the previous page. Keep the other parameters unchanged.',
      }),
    }),
    output: z
      .strictObject({ data: z.array(draft), next_cursor: draftId.nullable(), content_trust: contentTrustField })
      .meta({ component: 'DraftList' }),
    problems: [],
    examples: { output: { data: [withText], next_cursor: null, content_trust: 'untrusted-user-content' } },
    handle: async (call, { query }) => (await listDrafts(call, query)) as never,
  })
  const read = defineOperation({
    id: 'getDraft',
    method: 'GET',
    path: '/v1/drafts/{id}',
    access: 'key',
    whenBanned: 'allowed',
    successStatus: 200,
    tag,
    summary: 'Read a draft',
    description:
      'A post that waits, or what became of it: post_id once it is submitted, problem if it was refused. Only its ' +
      'account and its owner can see a draft.',
    params,
    output: draft,
    problems: ['draft_not_found'],
    examples: { params: exampleParams, output: example },
    handle: async (call, input) => (await readDraft(call, input.params.id)) as never,
  })
  const cancel = defineOperation({
    id: 'cancelDraft',
    method: 'DELETE',
    path: '/v1/drafts/{id}',
    access: 'key',
    scopes: ['publish', 'publish_with_approval'],
    whenBanned: 'allowed',
    successStatus: 200,
    tag,
    summary: 'Cancel a draft',
    description:
      'Free, while the draft waits for the owner or for publish_at. The text is erased. Repeating the call is harmless. ' +
      'A draft that was already submitted is a post: delete the post instead.',
    params,
    output: draft,
    problems: ['draft_not_found', 'invalid_state'],
    examples: {
      params: exampleParams,
      output: { ...(example as object), state: 'cancelled', post_id: undefined } as never,
    },
    handle: async (call, input) => (await cancelDraft(call, input.params.id)) as never,
  })
  return [list, read, cancel]
}
