import { type Html, html } from '../../markup/html.ts'
import { authorName, factList, lengthClass, postDates, topicList } from '../presentation/byline.ts'
import { clockTime, dateParts, longDate, shortDate } from '../presentation/dates.ts'
import { excerpt } from '../presentation/excerpt.ts'
import { type Location, placeLinks, placeName } from '../presentation/place-line.ts'
import type { Presentation, PublicPost } from '../presentation/presentation.ts'
import { prose } from '../presentation/prose.ts'
import { keywordsOf, placeOf, workOf } from '../presentation/schema-org.ts'

export type MessageBody = { text: string; topics: string[]; location?: Location | undefined }

type Message = PublicPost<MessageBody>

export const messagePresentation: Presentation<MessageBody> = {
  headline: (body) => excerpt(body.text, 80),
  hasTitle: false,
  text: (body) => body.text,
  facts: ({ location }) => (location ? [{ label: 'Place', value: placeName(location) }] : []),
  article,
  entry,
  arrange,
  card: ({ location }) => ({ details: location ? [placeName(location)] : [] }),
  schemaOrg: schemaOrgOf,
}

/** Shows the author, time and place above the text. */
function article(post: Message): Html {
  const { text, topics, location } = post.content
  return html`
<header>
<h1>Message from !${authorName(post)}</h1>
!${factList([...postDates(post), ...(location ? [{ label: 'Place', value: placeLinks(location) }] : [])])}
</header>
<div class="${`text ${lengthClass(text, { brief: 70, long: 220 })}`.trim()}">!${prose(text)}</div>
!${topicList(topics)}`
}

function entry(post: Message): Html {
  const { text, topics, location } = post.content
  return html`<article class="entry" data-content-trust="${post.content_trust}">
<header><a class="stamp" href="/p/${post.id}"><time datetime="${post.published_at}"><span class="date">${shortDate(post.published_at)}</span> ${clockTime(post.published_at)}</time></a> <p class="meta">!${authorName(post)} !${location && html`<span class="place">!${placeLinks(location)}</span>`}</p></header>
<div class="text">!${prose(text)}</div>
!${topicList(topics)}
</article>`
}

/** Grouped by the UTC date of publication, so that each message shows only the time. */
function arrange(posts: readonly Message[]): Html {
  return [...Map.groupBy(posts, ({ published_at }) => published_at.slice(0, 10))]
    .map(
      ([day, those]) => html`<section class="day">
<h3><time datetime="${day}">${dateParts(day).weekday} ${longDate(day)}</time> <span class="zone">UTC</span></h3>
!${those.map(entry).join('\n')}
</section>`,
    )
    .join('\n')
}

function schemaOrgOf(post: PublicPost<MessageBody>): Record<string, unknown> {
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
