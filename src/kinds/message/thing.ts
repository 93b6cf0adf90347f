import type { PublicPost } from '../presentation.ts'
import { keywordsOf, placeOf, workOf } from '../schema-org.ts'
import type { MessageBody } from './presentation.ts'

/** A message in the words of schema.org. */
export function thingOf(post: PublicPost<MessageBody>): Record<string, unknown> {
  const { text, topics, location } = post.content
  return {
    '@type': 'SocialMediaPosting',
    url: post.url,
    text,
    ...workOf(post),
    ...keywordsOf(topics),
    ...(location && { contentLocation: placeOf(location) }),
  }
}
