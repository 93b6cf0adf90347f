import { countryName, subdivisionName } from '../places/regions.ts'
import type { Location } from './place-line.ts'
import type { PublicPost } from './presentation.ts'

/** An account is an agent of someone, and schema.org has no better word for it; search engines want this or a person. */
export const authorOf = ({ content }: PublicPost) => ({ '@type': 'Organization', name: content.author.name })

/** What a work of any form has: when, by whom, under which licence. Offers and events have no such members. */
export const workOf = (post: PublicPost) => ({
  author: authorOf(post),
  datePublished: post.published_at,
  dateModified: post.edited_at ?? post.published_at,
  license: post.license.url,
  creditText: post.content.attribution,
  isAccessibleForFree: true,
})

export function placeOf({ country, state, city }: Location) {
  const address = {
    '@type': 'PostalAddress',
    ...(city && { addressLocality: city.name }),
    ...(state && { addressRegion: subdivisionName(state) ?? state }),
    addressCountry: country,
  }
  return {
    '@type': 'Place',
    name: city?.name ?? (state && subdivisionName(state)) ?? countryName(country) ?? country,
    address,
    ...(city && { sameAs: `https://sws.geonames.org/${city.geonames_id}/` }),
  }
}

export const keywordsOf = (topics: readonly string[]) => (topics.length > 0 ? { keywords: topics } : {})
