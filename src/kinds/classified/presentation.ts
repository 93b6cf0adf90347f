import { type Html, html } from '../../markup/html.ts'
import {
  authorName,
  dotted,
  type Fact,
  factList,
  plainFacts,
  postDates,
  postTitle,
  topicList,
} from '../presentation/byline.ts'
import { longDate, utcDate } from '../presentation/dates.ts'
import { excerpt } from '../presentation/excerpt.ts'
import { type Location, placeLinks, placeName } from '../presentation/place-line.ts'
import type { Presentation, PublicPost } from '../presentation/presentation.ts'
import { prose } from '../presentation/prose.ts'
import { authorOf, placeOf } from '../presentation/schema-org.ts'
import { priceText } from './price.ts'

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

export const classifiedPresentation: Presentation<ClassifiedBody> = {
  headline: (body) => body.title,
  hasTitle: true,
  text: (body) => body.body,
  facts: (body) => [...goods(body), ...(body.location ? [{ label: 'Place', value: placeName(body.location) }] : [])],
  article,
  over,
  entry,
  card: ({ category, price, condition, location }) => ({
    label: labelOf(category),
    price: price && priceText(price),
    details: [conditionOf(condition), location && placeName(location)].filter((detail) => detail !== undefined),
  }),
  schemaOrg: schemaOrgOf,
  openGraph: ({ price }) => ({
    type: 'product',
    properties: price
      ? [
          ['product:price:amount', String(price.amount)],
          ['product:price:currency', price.currency],
        ]
      : [],
  }),
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
<header>
<p class="category"><a href="/categories/${category}/">${labelOf(category)}</a></p>
!${postTitle(title)}
!${price && html`<p class="price">${priceText(price)}</p>`}
</header>
!${factList(factsOf(post, isOver))}
<div class="about">
<div class="text">!${prose(body)}</div>
!${topicList(topics)}
</div>`
}

function over({ expires_at = '', content }: Ad): Html {
  return html`<strong>This ad has expired.</strong> It was removed from the listings on ${longDate(expires_at)}. This page remains as a record. <a href="/categories/${content.category}/">See current ads in ${labelOf(content.category)} →</a>`
}

function factsOf(post: Ad, isOver: boolean): Fact[] {
  const { condition, location } = post.content
  const state = conditionOf(condition)
  return [
    ...plainFacts(state === undefined ? [] : [{ label: 'Condition', value: state }]),
    ...(location ? [{ label: 'Place', value: placeLinks(location) }] : []),
    { label: 'Placed by', value: authorName(post) },
    ...postDates(post),
    ...(post.expires_at ? [{ label: isOver ? 'Expired' : 'Expires', value: utcDate(post.expires_at) }] : []),
  ]
}

function entry(post: Ad): Html {
  const { title, body, category, price, condition, location } = post.content
  const state = conditionOf(condition)
  const facts = dotted(state && html`${state}`, location && html`${placeName(location)}`)
  return html`<article class="entry" data-content-trust="${post.content_trust}">
<header>
<p class="category"><a href="/categories/${category}/">${labelOf(category)}</a></p>
!${price && html`<p class="price">${priceText(price)}</p>`}
</header>
<h3 dir="auto" lang=""><a href="/p/${post.id}">${title}</a></h3>
<p class="excerpt" dir="auto" lang="">${excerpt(body, 140)}</p>
<footer>
!${facts && html`<p class="facts-line">!${facts}</p>`}
<p class="meta">!${dotted(authorName(post), utcDate(post.published_at))}</p>
</footer>
</article>`
}

/** The schema.org type of the offered item, by category; the others are products. */
const itemTypes: Record<string, string> = {
  services: 'Service',
  jobs: 'Service',
  software: 'SoftwareApplication',
  data: 'Dataset',
  vehicles: 'Vehicle',
}

/** The schema.org condition of the item. `not-applicable` has none. */
const conditions: Record<string, string> = {
  new: 'NewCondition',
  'like-new': 'UsedCondition',
  good: 'UsedCondition',
  fair: 'UsedCondition',
  'for-parts': 'DamagedCondition',
}

/** An ad as schema.org data: an offer, or a demand if something is wanted. */
function schemaOrgOf(post: PublicPost<ClassifiedBody>): Record<string, unknown> {
  const { title, body, category, price, condition, location } = post.content
  const itemCondition = condition && conditions[condition]
  return {
    ...(category === 'wanted' ? demand(price) : offer(post)),
    url: post.url,
    ...(itemCondition && { itemCondition: `https://schema.org/${itemCondition}` }),
    ...(post.expires_at && { validThrough: post.expires_at }),
    ...(location && { areaServed: placeOf(location) }),
    itemOffered: { '@type': itemTypes[category] ?? 'Product', name: title, description: body },
  }
}

function offer(post: PublicPost<ClassifiedBody>) {
  const { price } = post.content
  return {
    '@type': 'Offer',
    offeredBy: authorOf(post),
    availability: 'https://schema.org/InStock',
    ...(price && { price: price.amount, priceCurrency: price.currency }),
  }
}

/** In schema.org, a demand has no `price` field, only a price specification. */
const demand = (price: ClassifiedBody['price']) => ({
  '@type': 'Demand',
  ...(price && {
    priceSpecification: { '@type': 'PriceSpecification', price: price.amount, priceCurrency: price.currency },
  }),
})

/** Labels for categories and conditions. An unknown value is shown unchanged. */
const words: Record<string, string> = {
  'for-sale': 'For sale',
  wanted: 'Wanted',
  free: 'Free',
  services: 'Services',
  jobs: 'Jobs',
  housing: 'Housing',
  vehicles: 'Vehicles',
  software: 'Software',
  data: 'Data',
  community: 'Community',
  other: 'Other',
  new: 'New',
  'like-new': 'Like new',
  good: 'Good',
  fair: 'Fair',
  'for-parts': 'For parts',
}

export const labelOf = (word: string): string => words[word] ?? word

/** The label of the condition; undefined if it is missing or does not apply. */
export const conditionOf = (condition: string | undefined): string | undefined =>
  condition === undefined || condition === 'not-applicable' ? undefined : labelOf(condition)
