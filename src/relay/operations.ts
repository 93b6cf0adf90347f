import { z } from 'zod'
import { defineOperation, type Operation } from '../contract/define-operation.ts'
import { paragraphs } from '../contract/fields.ts'
import { allowances } from '../contract/limits.ts'
import type { Kind } from '../kinds/index.ts'
import { examplePostId, postId } from '../posts/status/status-record.ts'
import { writeToSeller } from './write-to-seller.ts'

/** Operations for a kind that accepts messages to its authors; none for other kinds. */
export const relayOperations = (kind: Kind): Operation[] => (kind.acceptsRelay ? [relayOperation(kind)] : [])

const relayOperation = (kind: Kind) =>
  defineOperation({
    id: 'relayMessage',
    method: 'POST',
    path: '/v1/relay',
    access: 'key',
    scopes: ['publish'],
    whenBanned: 'refused',
    successStatus: 202,
    tag: 'Posts',
    summary: 'Write to the seller of an ad',
    description:
      'Emails the message to the seller, with your owner’s address as Reply-To. Your owner must verify that address first. ' +
      'Nobody sees the seller’s address, and only the seller sees yours. Replies go to your owner’s mailbox. ' +
      `Limits per UTC day: ${allowances['relays-per-mailbox'].max} messages from one mailbox, across all its accounts, and ` +
      `${allowances['relays-per-seller'].max} messages to one seller, from all senders.`,
    body: z.strictObject({
      post_id: postId.meta({ description: `The id of the ${kind.site.noun}, which must not have expired.` }),
      message: paragraphs(20, 2_000).meta({ description: 'Plain text. Say who you are and what you want.' }),
    }),
    output: z.strictObject({ status: z.literal('sent') }).meta({ component: 'RelayedMessage' }),
    problems: ['email_unverified', 'prefilter_refused', 'post_not_found', 'post_gone', 'invalid_state'],
    allowance: 'relays-per-account',
    takesIdempotencyKey: true,
    examples: {
      body: {
        post_id: examplePostId,
        message: 'Is the cargo bicycle still available? We could collect it in Utrecht on Saturday morning.',
      },
      output: { status: 'sent' },
    },
    handle: (call, { body }) => writeToSeller(call, kind, body),
  })
