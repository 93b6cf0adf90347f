import { type Html, html } from '../../markup/html.ts'
import { placeListings } from '../location.ts'
import { countryName, subdivisionName } from '../places/regions.ts'

export type Location = {
  country: string
  state?: string | undefined
  city?: { geonames_id: number; name: string } | undefined
}

/** `Lisbon, Lisboa, Portugal` */
export const placeName = (location: Location): string =>
  namesOf(location)
    .toReversed()
    .filter((name, index, all) => name !== all[index - 1])
    .join(', ')

/** The same, with a link from each part to its listing. */
export function placeLinks(location: Location): Html {
  const names = namesOf(location)
  return placeListings({ location })
    .map((path, index) => html`<a href="/${path}/">${names[index]}</a>`)
    .toReversed()
    .join(', ')
}

/** Largest first, in the order of `placeListings`. */
function namesOf({ country, state, city }: Location): string[] {
  const names = [countryName(country) ?? country, state && (subdivisionName(state) ?? state), city?.name]
  return names.filter((name) => name !== undefined)
}
