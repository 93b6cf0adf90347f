import { findCity } from '../kinds/places/cities.ts'
import { countryName, subdivisionName } from '../kinds/places/regions.ts'

/** What people call a shelf; nothing for the front page. */
export function shelfName(path: string): string {
  const [family, ...parts] = path.split('/')
  const last = parts.at(-1) ?? ''
  return family === 'places' ? placeName(parts) : last
}

/** The shelves that a place lies in, widest first. A hyphen stands where a city's region was not said. */
export function parentsOf(path: string): { path: string; name: string }[] {
  const parts = path.split('/')
  if (parts[0] !== 'places') return []
  return parts
    .slice(1, -1)
    .map((_, index) => parts.slice(0, index + 2).join('/'))
    .filter((parent) => !parent.endsWith('/-'))
    .map((parent) => ({ path: parent, name: shelfName(parent) }))
}

function placeName(parts: readonly string[]): string {
  const [country = '', state = '', city] = parts.map((part) => part.toUpperCase())
  if (city) return findCity(Number(city))?.name ?? city
  if (state) return subdivisionName(state) ?? state
  return countryName(country) ?? country
}
