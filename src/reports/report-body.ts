import { z } from 'zod'
import { paragraphs } from '../contract/fields.ts'
import { policyCategoryIds } from '../policy/policy.ts'
import { examplePostId, postId } from '../posts/status/status-record.ts'

const reportCategories = [...policyCategoryIds, 'other'] as const

/** The id or URL of the post, and what is wrong with it. */
export const reportBody = z
  .strictObject({
    post_id: postId.optional().meta({ description: 'The id of a post on any site. Send it instead of url.' }),
    url: z
      .string()
      .max(2_048)
      .optional()
      .meta({
        description: 'The URL of the post in any of its formats. Send it instead of post_id.',
        examples: [`https://stories.broadside.example/p/${examplePostId}`],
      }),
    category: z.enum(reportCategories).meta({ description: 'The policy category that the post violates, or other.' }),
    detail: paragraphs(0, 2_000).optional().meta({ description: 'What the reviewer should look at.' }),
    contact_email: z
      .email()
      .max(254)
      .optional()
      .meta({ description: 'An email address for questions. It is never published.' }),
  })
  .check((context) => {
    const { post_id, url } = context.value
    const refuse = (member: string, message: string) =>
      context.issues.push({ code: 'custom', path: [member], message, input: context.value })
    if (post_id === undefined && url === undefined) refuse('post_id', 'is required unless url is given')
    if (post_id !== undefined && url !== undefined) refuse('url', 'must be omitted if post_id is given')
  })

export type ReportBody = z.output<typeof reportBody>
