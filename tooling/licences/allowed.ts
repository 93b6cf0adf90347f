import satisfies from 'spdx-satisfies'

/** Shipped is what is in the image, in a release or in this repository. All else, others install themselves. */
export type Use = 'shipped' | 'not-shipped'

/** Licences that ask for a notice at most, and fit Apache-2.0. */
const shipped = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'Unicode-3.0',
]

/** Also fine for what we do not pass on: licences that ask for the source of changes, or for more attribution. */
const notShipped = [...shipped, 'BlueOak-1.0.0', 'CC-BY-3.0', 'MPL-2.0', 'Python-2.0', 'Unlicense']

export type Part = { name: string; licence: string | undefined; use: Use }

/** What is wrong with the licence of a part, and what to do. */
export function licenceFaults({ name, licence, use }: Part): string[] {
  if (!licence)
    return [`${name} names no licence. Ask its authors, or replace it: without a licence nobody may use or copy it.`]
  try {
    if (satisfies(licence, use === 'shipped' ? shipped : notShipped)) return []
  } catch {
    return [`${name} has “${licence}”, which is no SPDX expression. Read its licence file, or replace it.`]
  }
  if (use === 'shipped' && satisfies(licence, notShipped))
    return [
      `${name} has ${licence}, which is allowed only for what is not shipped. Move it to devDependencies, or replace it.`,
    ]
  return [
    `${name} has ${licence}, which is not allowed. Replace it, or decide to allow it in tooling/licences/allowed.ts.`,
  ]
}
