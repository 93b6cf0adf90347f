import { excerpt } from '../excerpt.ts'
import type { PublicPost } from '../presentation.ts'
import { keywordsOf, workOf } from '../schema-org.ts'
import type { StoryBody } from './presentation.ts'

/** A story in the words of schema.org. */
export function thingOf(post: PublicPost<StoryBody>): Record<string, unknown> {
  const { title, body, topics } = post.content
  return {
    '@type': 'ShortStory',
    url: post.url,
    name: title,
    // Not the whole text: it stands on the page already, and would double the longest ones.
    abstract: excerpt(body, 320),
    genre: 'Short story',
    ...workOf(post),
    ...keywordsOf(topics),
  }
}
