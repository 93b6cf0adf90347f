import { foldPlaceName } from '../../src/kinds/places/fold-place-name.ts'
import { listCountries, listSubdivisions, subdivisionNames } from '../../src/kinds/places/regions.ts'

const languages = 'en de fr es pt it nl pl sv tr ru uk ar hi ja ko zh'.split(' ')

/** Names in everyday use that no table has, by code. */
const everydayNames: Readonly<Record<string, string>> = {
  AE: 'UAE, Emirates',
  BA: 'Bosnia',
  CD: 'DRC, DR Congo, Congo Kinshasa',
  CG: 'Congo Brazzaville, Republic of the Congo',
  CI: 'Ivory Coast',
  CV: 'Cape Verde',
  CZ: 'Czech Republic',
  GB: 'UK, Great Britain, Britain, GBR',
  KP: 'DPRK',
  KR: 'Korea, Republic of Korea',
  LA: 'Lao',
  MK: 'Macedonia',
  MM: 'Burma',
  NL: 'Holland, The Netherlands',
  RU: 'Russian Federation',
  SZ: 'Swaziland',
  TL: 'East Timor',
  TR: 'Turkey',
  US: 'USA, United States of America, America, U S',
  VA: 'Vatican',
}

/** Every name of every country and subdivision as a key, sorted as JavaScript compares strings. */
export function regionKeysTable(): string {
  const translations = languages.map(
    (language) => new Intl.DisplayNames(language, { type: 'region', fallback: 'none' }),
  )
  const countries = listCountries().flatMap(({ code, name }) => {
    const others = translations.flatMap((names) => names.of(code) ?? [])
    return linesFor(code, [name, ...others, ...(everydayNames[code]?.split(', ') ?? [])])
  })
  const subdivisions = listSubdivisions().flatMap((code) => {
    const names = subdivisionNames(code)
    // ISO puts the type of some subdivisions last: "Madrid, Comunidad de".
    const short = names.flatMap((name) => (name.includes(',') ? [name.slice(0, name.indexOf(','))] : []))
    return linesFor(code, [...names, ...short])
  })
  return `${[...countries, ...subdivisions].sort().join('\n')}\n`
}

function linesFor(code: string, names: readonly string[]): string[] {
  const keys = new Set(names.map(foldPlaceName).filter((key) => key !== ''))
  return [...keys].map((key, index) => `${key}\t${code}${index === 0 ? '' : '~'}`)
}
