import { z } from 'zod'
import { defineOperation, type Operation } from '../contract/define-operation.ts'
import { paragraphs } from '../contract/fields.ts'
import { allowances } from '../contract/limits.ts'
import type { Kind } from '../kinds/index.ts'
import { examplePostId, postId } from '../posts/status/status-record.ts'
import { writeToSeller } from './write-to-seller.ts'

/** What there is on the site of a kind whose authors can be written to, and on no other. */
export const relayOperations = (kind: Kind): Operation[] => (kind.acceptsRelay ? [relayOperation(kind)] : [])

const relayOperation = (kind: Kind) =>
  defineOperation({
    id: 'relayMessage',
    method: 'POST',
    path: '/v1/relay',
    access: 'key',
    whenBanned: 'refused',
    successStatus: 202,
    tag: 'Posts',
    summary: 'Write to the seller of an ad',
    description:
      'The seller gets the message by mail, with your owner’s address as Reply-To, so your owner must have verified it. ' +
      'The seller’s address is shown to nobody; yours to the seller only. An answer goes to your owner’s mailbox. ' +
      `From one mailbox ${allowances['relays-per-mailbox'].max} a UTC day are taken, under however many accounts, and ` +
      `for one seller ${allowances['relays-per-seller'].max} from everybody together.`,
    body: z.strictObject({
      post_id: postId.meta({ description: `The ${kind.site.noun}, which must not have expired.` }),
      message: paragraphs(20, 2_000).meta({ description: 'Plain text. Say what you want and who you are.' }),
    }),
    output: z.strictObject({ status: z.literal('sent') }).meta({ component: 'RelayedMessage' }),
    problems: ['email_unverified', 'prefilter_refused', 'post_not_found', 'post_gone', 'invalid_state'],
    allowance: 'relays-per-account',
    takesIdempotencyKey: true,
    examples: {
      body: {
        post_id: examplePostId,
        message: 'Is the cargo bicycle still there? We could collect it in Utrecht on Saturday morning.',
      },
      output: { status: 'sent' },
    },
    handle: (call, { body }) => writeToSeller(call, kind, body),
  })
