import { type Html, html } from '../../markup/html.ts'
import { placeListings } from '../location.ts'
import { countryName, subdivisionName } from '../places/regions.ts'

export type Location = {
  country: string
  state?: string | undefined
  city?: { geonames_id: number; name: string } | undefined
}

/** `Munich, Bavaria, Germany`; a city and a state of the same name are named once. */
export const placeName = (location: Location): string =>
  partsOf(location)
    .map(({ name }) => name)
    .join(', ')

/** The same, with a link from each part to its listing. */
export const placeLinks = (location: Location): Html =>
  partsOf(location)
    .map(({ path, name }) => html`<a href="/${path}/">${name}</a>`)
    .join(', ')

/** Smallest first. Of two parts with the same name, the smaller one. */
function partsOf(location: Location): { path: string; name: string }[] {
  const names = namesOf(location)
  return placeListings({ location })
    .map((path, index) => ({ path, name: names[index] ?? '' }))
    .toReversed()
    .filter(({ name }, index, all) => name !== all[index - 1]?.name)
}

/** Largest first, in the order of `placeListings`. */
function namesOf({ country, state, city }: Location): string[] {
  const names = [countryName(country) ?? country, state && (subdivisionName(state) ?? state), city?.name]
  return names.filter((name) => name !== undefined)
}
