import type { Broadside, PlaceList } from '../../index.ts'
import { CliError } from '../cli-error.ts'
import { commandLine } from '../generated.ts'
import { oneLine } from '../terminal/text.ts'

type Place = PlaceList['data'][number]
type Location = Place['location']
export type ResolvedPlace = { label: string; location: Location }

/** The location for a name. Throws if no place has the name, or if several match equally well. */
export async function resolvePlace(client: Broadside, name: string, kind: string): Promise<ResolvedPlace> {
  const { data } = await client.findPlaces({ q: name, limit: 10 })
  const [best, ...others] = data
  if (!best) throw notFound(name)
  const rivals = others.filter((other) => isRival(best, other))
  if (rivals.length > 0) throw ambiguous(name, [best, ...rivals])
  return { label: best.label, location: locationFor(best, kind) }
}

/** Only some kinds take a city. */
function locationFor({ location }: Place, kind: string): Location {
  if ((commandLine.kinds_with_city as readonly string[]).includes(kind)) return location
  const { city: _, ...region } = location
  return region
}

/**
 * Whether the other place is as plausible as the best one: a namesake of the same level in the same country, such as the
 * Springfields, or a country and another country's state, such as Georgia. Otherwise the service's order decides.
 */
function isRival(best: Place, other: Place): boolean {
  if (nameOf(best) !== nameOf(other)) return false
  const isSameCountry = best.location.country === other.location.country
  const [level, otherLevel] = [levelOf(best), levelOf(other)]
  return isSameCountry ? level === otherLevel : level === 'country' && otherLevel === 'state'
}

const nameOf = ({ label }: Place) => (label.split(',')[0] ?? '').toLowerCase()
const levelOf = ({ location: { city, state } }: Place) => (city ? 'city' : state ? 'state' : 'country')

const notFound = (name: string) =>
  new CliError(`No place is called ${oneLine(name)}.`, {
    exit: 'refused',
    code: 'place_not_found',
    advice: 'Look for it with `broadside place <name>`.',
  })

function ambiguous(name: string, candidates: readonly Place[]): CliError {
  const labels = candidates.map(({ label }) => oneLine(label))
  return new CliError(`Several places are called ${oneLine(name)}. Nothing was sent.`, {
    exit: 'refused',
    code: 'place_ambiguous',
    advice: ['Choose one:', ...labels.map((label) => `--place "${label}"`)].join('\n'),
    members: { candidates },
  })
}
