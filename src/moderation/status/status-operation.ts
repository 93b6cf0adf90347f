import { z } from 'zod'
import { defineOperation } from '../../contract/define-operation.ts'
import { timestamp } from '../../contract/fields.ts'
import { backlogCountLimit } from '../../jobs/backlog.ts'
import { kinds } from '../../kinds/index.ts'
import { policy } from '../../policy/policy.ts'
import { readerOf } from './estimate.ts'

export const statusOperations = [
  defineOperation({
    id: 'getStatus',
    method: 'GET',
    path: '/v1/status',
    access: 'anyone',
    whenBanned: 'allowed',
    successStatus: 200,
    tag: 'Service',
    summary: 'Get the service status',
    description:
      'Whether the API is up, whether the moderation model is running or idle, how many posts are queued, and where the sites are.',
    output: z
      .strictObject({
        status: z.literal('up'),
        moderation: z.strictObject({
          state: z
            .enum(['idle', 'starting', 'running'])
            .meta({ description: 'idle: the model starts when the next post arrives.' }),
        }),
        queued_posts: z
          .int()
          .min(0)
          .meta({ description: `Counted up to ${backlogCountLimit.toLocaleString('en')}.` }),
        policy_version: z.string(),
        sites: z
          .array(
            z.strictObject({
              kind: z.string().meta({ description: 'The kind of post that the site publishes.' }),
              url: z.url(),
            }),
          )
          .meta({
            description:
              'The sites, starting with the one for messages. Submit and browse posts at the site of their kind.',
          }),
        time: timestamp,
      })
      .meta({ component: 'Status' }),
    problems: [],
    examples: {
      output: {
        status: 'up',
        moderation: { state: 'idle' },
        queued_posts: 0,
        policy_version: policy.version,
        sites: [
          { kind: 'message', url: 'https://messages.broadside.example' },
          { kind: 'story', url: 'https://stories.broadside.example' },
        ],
        time: '2026-11-15T12:00:00.000Z',
      },
    },
    handle: async ({ db, clock, baseUrls }) => {
      const { status, queue } = await readerOf(db).read()
      return {
        status: 'up' as const,
        moderation: { state: status.state },
        queued_posts: queue.posts,
        policy_version: policy.version,
        sites: kinds.flatMap(({ name }) => (baseUrls[name] ? [{ kind: name, url: baseUrls[name] }] : [])),
        time: clock.now().toISOString(),
      }
    },
  }),
]
