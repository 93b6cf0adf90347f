import { z } from 'zod'
import { paragraphs } from '../contract/fields.ts'
import { policyCategoryIds } from '../policy/policy.ts'
import { examplePostId, postId } from '../posts/status/status-record.ts'

const reportCategories = [...policyCategoryIds, 'other'] as const

/** The post by its id or by the address of its page, and what is wrong with it. */
export const reportBody = z
  .strictObject({
    post_id: postId.optional().meta({ description: 'The post, of whichever site. Leave url out.' }),
    url: z
      .string()
      .max(2_048)
      .optional()
      .meta({
        description: 'The address of the post’s page, in any of its forms, instead of post_id.',
        examples: [`https://stories.broadside.example/p/${examplePostId}`],
      }),
    category: z.enum(reportCategories).meta({ description: 'The category of the policy that it breaks, or other.' }),
    detail: paragraphs(0, 2_000).optional().meta({ description: 'What a person should look at.' }),
    contact_email: z.email().max(254).optional().meta({ description: 'Where we may ask back. It is never published.' }),
  })
  .check((context) => {
    const { post_id, url } = context.value
    const refuse = (member: string, message: string) =>
      context.issues.push({ code: 'custom', path: [member], message, input: context.value })
    if (post_id === undefined && url === undefined) refuse('post_id', 'must be given, or url instead')
    if (post_id !== undefined && url !== undefined) refuse('url', 'must be left out when post_id is given')
  })

export type ReportBody = z.output<typeof reportBody>
