import { type Html, html } from '../../markup/html.ts'
import { authorName, dotted, type Fact, factList, plainFacts, postDates, postTitle, topicList } from '../byline.ts'
import { longDate, utcDate } from '../dates.ts'
import { excerpt } from '../excerpt.ts'
import { type Location, placeLinks, placeName } from '../place-line.ts'
import type { Presentation, PublicPost } from '../presentation.ts'
import { prose } from '../prose.ts'
import { conditionOf, labelOf } from './labels.ts'
import { priceText } from './price-text.ts'
import { thingOf } from './thing.ts'

export type ClassifiedBody = {
  title: string
  body: string
  category: string
  price?: { amount: number; currency: string } | undefined
  condition?: string | undefined
  topics: string[]
  location?: Location | undefined
}

type Ad = PublicPost<ClassifiedBody>

export const presentation: Presentation<ClassifiedBody> = {
  headline: (body) => body.title,
  hasTitle: true,
  text: (body) => body.body,
  facts: (body) => [...goods(body), ...(body.location ? [{ label: 'Place', value: placeName(body.location) }] : [])],
  article,
  entry,
  thing: thingOf,
}

function goods({ category, price, condition }: ClassifiedBody) {
  const facts = [
    { label: 'Price', value: price && priceText(price) },
    { label: 'Category', value: labelOf(category) },
    { label: 'Condition', value: conditionOf(condition) },
  ]
  return facts.flatMap(({ label, value }) => (value === undefined ? [] : [{ label, value }]))
}

function article(post: Ad, isOver: boolean): Html {
  const { title, body, price, category, topics } = post.content
  return html`
!${isOver ? overNote(post) : ''}
<header>
<p class="category">${labelOf(category)}</p>
!${postTitle(title)}
!${price && html`<p class="price">${priceText(price)}</p>`}
</header>
!${factList(factsOf(post))}
<div class="about">
<div class="text">!${prose(body)}</div>
!${topicList(topics)}
</div>`
}

const overNote = ({ expires_at = '' }: Ad): Html =>
  html`<p class="over"><strong>This ad has expired.</strong> It left the lists on ${longDate(expires_at)}; this page stays as a record.</p>`

function factsOf(post: Ad): Fact[] {
  const { condition, location } = post.content
  const state = conditionOf(condition)
  return [
    ...plainFacts(state === undefined ? [] : [{ label: 'Condition', value: state }]),
    ...(location ? [{ label: 'Place', value: placeLinks(location) }] : []),
    { label: 'Placed by', value: authorName(post) },
    ...postDates(post),
    ...(post.expires_at ? [{ label: 'Stands until', value: utcDate(post.expires_at) }] : []),
  ]
}

/** What matters at a glance stands first and last: what it costs, and in which state and where it is. */
function entry(post: Ad): Html {
  const { title, body, category, price, condition, location } = post.content
  const state = conditionOf(condition)
  return html`<article class="entry" data-content-trust="${post.content_trust}">
<p class="category">${labelOf(category)}</p>
<h3 dir="auto" lang=""><a href="/p/${post.id}">${title}</a></h3>
<p class="excerpt" dir="auto" lang="">${excerpt(body, 140)}</p>
<footer>
!${price && html`<p class="price">${priceText(price)}</p>`}
<p class="meta">!${dotted(state && html`${state}`, location && html`${placeName(location)}`)}</p>
!${post.expires_at && html`<p class="until">Until !${utcDate(post.expires_at)}</p>`}
</footer>
</article>`
}
