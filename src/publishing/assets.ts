import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Kind } from '../kinds/index.ts'
import { mastheadFolder } from '../kinds/presentation/masthead-face.ts'

const shared = new URL('./assets/', import.meta.url)
const fontFolder = 'assets/fonts/'
const touchIcon = 'apple-touch-icon.png'

/** The shared style sheets in cascade order. The kind's style sheet comes after them, and print.css comes last. */
const sheets = [
  ...['tokens.css', 'frame.css', 'lists.css', 'forms.css', 'search.css', 'post.css'],
  ...['prose.css', 'code.css', 'docs.css', 'numbers.css', 'publish.css'],
]

/** A site's static files, by path. Their URLs never change. */
export function siteAssets(kind: Kind): Map<string, Buffer | string> {
  const folders = foldersOf(kind)
  const fonts = folders.flatMap((folder) => filesIn(folder, /\.woff2$|^OFL-.*\.txt$/))
  const icon = lastOf(folders, 'favicon.svg')
  const touch = lastOf(folders, touchIcon)
  return new Map<string, Buffer | string>([
    ['assets/site.css', styleOf(kind)],
    ...(icon ? [['favicon.svg', readFileSync(icon, 'utf8')] as const] : []),
    ...(touch ? [[`assets/${touchIcon}`, readFileSync(touch)] as const] : []),
    ...fonts.map(({ name, url }) => [`${fontFolder}${name}`, readFileSync(url)] as const),
  ])
}

type Look = { fonts: readonly string[]; touchIcon: string | undefined; paper: { light: string; dark: string } }

/** The fonts that a site's pages preload. */
export const fontPaths = (kind: Kind): readonly string[] => lookOf(kind).fonts

/** The path of the icon for home screens. */
export const touchIconPath = (kind: Kind): string | undefined => lookOf(kind).touchIcon

/** The background of a site's pages. */
export const paperColours = (kind: Kind): { light: string; dark: string } => lookOf(kind).paper

/** Cached because every page needs it. */
const knownLooks = new Map<Kind, Look>()

function lookOf(kind: Kind): Look {
  const known = knownLooks.get(kind)
  if (known) return known
  const folders = foldersOf(kind)
  const look = {
    fonts: folders.flatMap((folder) => filesIn(folder, /\.woff2$/).map(({ name }) => `${fontFolder}${name}`)),
    touchIcon: lastOf(folders, touchIcon) && `assets/${touchIcon}`,
    paper: paperOf(kind),
  }
  knownLooks.set(kind, look)
  return look
}

/** Read from the style sheet, so that both cannot differ: first that of light pages, then that of dark ones. */
function paperOf({ site }: Kind): { light: string; dark: string } {
  const sheet = site.look ? new URL('style.css', site.look) : new URL('tokens.css', shared)
  const [light, dark] = [...readFileSync(sheet, 'utf8').matchAll(/--paper: (#[\da-f]{3,6});/g)].map(
    ([, colour]) => colour,
  )
  assert(light && dark, 'a style sheet has two colours of paper')
  return { light, dark }
}

const lastOf = (folders: readonly URL[], name: string): URL | undefined =>
  folders.map((folder) => new URL(name, folder)).findLast((url) => existsSync(url))

/** The shared folders, then the kind's folder if it has one. */
const foldersOf = ({ site }: Kind): URL[] => [mastheadFolder, shared, ...(site.look ? [site.look] : [])]

function styleOf({ site }: Kind): string {
  const own = site.look ? [new URL('style.css', site.look)] : []
  const all = [...sheets.map((name) => new URL(name, shared)), ...own, new URL('print.css', shared)]
  return all.map((url) => withoutComments(readFileSync(url, 'utf8'))).join('\n')
}

/** Every page transfers the style sheet, and only we read its comments. */
const withoutComments = (style: string): string => style.replaceAll(/\/\*[\s\S]*?\*\/\s*/g, '')

const filesIn = (folder: URL, pattern: RegExp) =>
  readdirSync(folder)
    .filter((name) => pattern.test(name))
    .sort()
    .map((name) => ({ name, url: new URL(name, folder) }))
