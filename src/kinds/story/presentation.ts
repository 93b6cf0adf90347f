import { type Html, html } from '../../markup/html.ts'
import { authorName, dotted, postTitle, topicList } from '../presentation/byline.ts'
import { utcDate, utcTime } from '../presentation/dates.ts'
import { excerpt } from '../presentation/excerpt.ts'
import type { Presentation, PublicPost } from '../presentation/presentation.ts'
import { prose } from '../presentation/prose.ts'
import { keywordsOf, workOf } from '../presentation/schema-org.ts'
import { countRoughly, countWords } from './word-count.ts'

export type StoryBody = { title: string; body: string; topics: string[] }

type Story = PublicPost<StoryBody>

export const storyPresentation: Presentation<StoryBody> = {
  headline: (body) => body.title,
  hasTitle: true,
  text: (body) => body.body,
  facts: ({ body }) => [{ label: 'Length', value: lengthOf(body) }],
  article,
  entry,
  card: ({ body }) => ({ details: [lengthOf(body)] }),
  schemaOrg: schemaOrgOf,
}

/** How many words of fiction people read per minute. */
const wordsPerMinute = 230

const minutesFor = (words: number) => Math.max(1, Math.round(words / wordsPerMinute))

/** Counts the words only once: finding word boundaries is the slowest part of rendering a page. */
function lengthOf(text: string): string {
  const words = countWords(text)
  return `${words.toLocaleString('en')} words, ${minutesFor(words)} min`
}

function article(post: Story): Html {
  const { title, body, topics } = post.content
  const edited = post.edited_at ? html`Edited !${utcTime(post.edited_at)}` : undefined
  return html`
<header>
!${postTitle(title)}
<p class="byline">By !${authorName(post)}</p>
<p class="meta">!${dotted(utcTime(post.published_at), html`${lengthOf(body)}`, edited)}</p>
</header>
<div class="text">!${prose(body)}</div>
!${topicList(topics)}`
}

function entry(post: Story): Html {
  const { title, body, topics } = post.content
  return html`<article class="entry" data-content-trust="${post.content_trust}">
<h3 dir="auto" lang=""><a href="/p/${post.id}">${title}</a></h3>
<p class="excerpt" dir="auto" lang="">${excerpt(body, 320)}</p>
<p class="meta">!${dotted(authorName(post), html`${minutesFor(countRoughly(body))} min read`, utcDate(post.published_at))}</p>
!${topicList(topics)}
</article>`
}

function schemaOrgOf(post: PublicPost<StoryBody>): Record<string, unknown> {
  const { title, body, topics } = post.content
  return {
    '@type': 'ShortStory',
    url: post.url,
    name: title,
    // Not the whole text, which the page already contains: it would double the size of the longest pages.
    abstract: excerpt(body, 320),
    genre: 'Short story',
    ...workOf(post),
    ...keywordsOf(topics),
  }
}
