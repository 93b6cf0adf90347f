import { readFileSync } from 'node:fs'

const countries = readNames('countries.tsv')
const subdivisions = readNames('subdivisions.tsv')
const englishSubdivisions = readNames('subdivision-names.tsv')

/**
 * The common English name for an ISO 3166-1 alpha-2 code in upper case; undefined if the code is not assigned. The
 * names in ISO are formal: "Netherlands, Kingdom of the".
 */
export function countryName(code: string): string | undefined {
  const formal = countries.get(code)
  return formal && (everyday(code) ?? formal)
}

/** All countries, sorted by common name. */
export const listCountries = (): { code: string; name: string }[] =>
  [...countries.keys()]
    .map((code) => ({ code, name: countryName(code) ?? code }))
    .sort((one, other) => one.name.localeCompare(other.name, 'en'))

/** All ISO 3166-2 codes. */
export const listSubdivisions = (): string[] => [...subdivisions.keys()]

/** Made when it is first needed, because it reads a table. */
let everydayNames: Intl.DisplayNames | undefined

function everyday(code: string): string | undefined {
  everydayNames ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  return everydayNames.of(code)
}

/**
 * The English name for an ISO 3166-2 code such as `PT-11`, or its local name if it has no other in English; undefined if
 * the code does not exist.
 */
export const subdivisionName = (code: string): string | undefined =>
  englishSubdivisions.get(code) ?? subdivisions.get(code)

/** The English and the local name for an ISO 3166-2 code, so that search finds both. */
export const subdivisionNames = (code: string): string[] => [
  ...new Set([englishSubdivisions.get(code), subdivisions.get(code)].filter((name) => name !== undefined)),
]

/** Each line is a code, a tab and a name. */
function readNames(file: string): Map<string, string> {
  const lines = readFileSync(new URL(`tables/${file}`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
  return new Map(
    lines.map((line) => {
      const tab = line.indexOf('\t')
      return [line.slice(0, tab), line.slice(tab + 1)]
    }),
  )
}
