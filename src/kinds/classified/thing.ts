import type { PublicPost } from '../presentation.ts'
import { authorOf, placeOf } from '../schema-org.ts'
import type { ClassifiedBody } from './presentation.ts'

/** What is offered, where it is not a product. */
const itemTypes: Record<string, string> = {
  services: 'Service',
  jobs: 'Service',
  software: 'SoftwareApplication',
  data: 'Dataset',
  vehicles: 'Vehicle',
}

/** Where a condition does not apply, nothing is said of one. */
const conditions: Record<string, string> = {
  new: 'NewCondition',
  'like-new': 'UsedCondition',
  good: 'UsedCondition',
  fair: 'UsedCondition',
  'for-parts': 'DamagedCondition',
}

/** An ad in the words of schema.org: an offer, or a demand where something is wanted. */
export function thingOf(post: PublicPost<ClassifiedBody>): Record<string, unknown> {
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

/** A demand has no price of its own. */
const demand = (price: ClassifiedBody['price']) => ({
  '@type': 'Demand',
  ...(price && {
    priceSpecification: { '@type': 'PriceSpecification', price: price.amount, priceCurrency: price.currency },
  }),
})
