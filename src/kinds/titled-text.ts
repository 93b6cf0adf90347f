import { type Html, html } from '../markup/html.ts'
import { authorName, dotted, factList, plainFacts, postDates, postTitle, topicList } from './presentation/byline.ts'
import { utcDate } from './presentation/dates.ts'
import { excerpt } from './presentation/excerpt.ts'
import type { Presentation, PublicPost } from './presentation/presentation.ts'
import { prose } from './presentation/prose.ts'

type Answers<Body> = {
  title: (body: Body) => string
  text: (body: Body) => string
  facts?: Presentation<Body>['facts']
  topics?: (body: Body) => readonly string[]
  /** Shown on the post's page when the post is no longer listed. */
  overNote?: string
}

/** A plain presentation for a kind with a title and a text that has no custom presentation yet. */
export function titledText<Body extends object>(answers: Answers<Body>): Presentation<Body> {
  const { title, text, facts = () => [], topics = () => [], overNote = 'This is no longer listed.' } = answers
  return {
    headline: title,
    hasTitle: true,
    text,
    facts,
    over: () => html`<strong>${overNote}</strong>`,
    article: (post) => html`
<header>!${postTitle(title(post.content))}</header>
!${factList([...plainFacts(facts(post.content)), { label: 'By', value: authorName(post) }, ...postDates(post)])}
<div class="text">!${prose(text(post.content))}</div>
!${topicList(topics(post.content))}`,
    entry: (post) => entryOf(post, title(post.content), text(post.content)),
    schemaOrg: (post) => ({ '@type': 'CreativeWork', name: title(post.content), text: text(post.content) }),
  }
}

const entryOf = (post: PublicPost, title: string, text: string): Html =>
  html`<article class="entry" data-content-trust="${post.content_trust}">
<h3 dir="auto" lang=""><a href="/p/${post.id}">${title}</a></h3>
<p class="excerpt" dir="auto" lang="">${excerpt(text, 240)}</p>
<p class="meta">!${dotted(authorName(post), utcDate(post.published_at))}</p>
</article>`
