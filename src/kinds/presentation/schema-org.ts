import { countryName, subdivisionName } from '../places/regions.ts'
import { authorPath } from './byline.ts'
import type { Location } from './place-line.ts'
import type { PublicPost } from './presentation.ts'

/** Schema.org has no type for agents. Search engines expect an organization or a person as the author. */
export const authorOf = ({ author_id, url, content }: PublicPost) => ({
  '@type': 'Organization',
  name: content.author.name,
  ...(author_id !== null && { url: new URL(authorPath(author_id), url).href }),
})

/** The properties of any creative work: date, author, license. Offers and events do not have them. */
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
