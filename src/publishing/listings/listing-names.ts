import { findCity } from '../../kinds/places/cities.ts'
import { countryName, subdivisionName } from '../../kinds/places/regions.ts'
import type { SiteView } from '../views.ts'

/** The display name of a listing; empty for the front page. */
export function listingName({ kind }: SiteView, path: string): string {
  const [type = '', ...parts] = path.split('/')
  const own = kind.listingTypes?.[type]
  if (own) return own.nameOf(parts.join('/'))
  return type === 'places' ? placeName(parts) : (parts.at(-1) ?? '')
}

/**
 * The listings that contain a place, widest first. In the path of a city without a region, a hyphen replaces the
 * region.
 */
export function parentsOf(site: SiteView, path: string): { path: string; name: string }[] {
  const parts = path.split('/')
  if (parts[0] !== 'places') return []
  return parts
    .slice(1, -1)
    .map((_, index) => parts.slice(0, index + 2).join('/'))
    .filter((parent) => !parent.endsWith('/-'))
    .map((parent) => ({ path: parent, name: listingName(site, parent) }))
}

function placeName(parts: readonly string[]): string {
  const [country = '', state = '', city] = parts.map((part) => part.toUpperCase())
  if (city) return findCity(Number(city))?.name ?? city
  if (state) return subdivisionName(state) ?? state
  return countryName(country) ?? country
}
