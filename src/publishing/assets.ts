import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Kind } from '../kinds/index.ts'

const shared = new URL('./assets/', import.meta.url)
const fontFolder = 'assets/fonts/'

/** The shared style sheets in cascade order. The kind's style sheet comes after them, and print.css comes last. */
const sheets = [
  'tokens.css',
  'frame.css',
  'lists.css',
  'forms.css',
  'search.css',
  'post.css',
  'prose.css',
  'numbers.css',
] as const

/** A site's static files, by path. Their URLs never change. */
export function siteAssets(kind: Kind): Map<string, Buffer | string> {
  const folders = foldersOf(kind)
  const fonts = folders.flatMap((folder) => filesIn(folder, /\.woff2$|^OFL-.*\.txt$/))
  const icon = folders.map((folder) => new URL('favicon.svg', folder)).findLast((url) => existsSync(url))
  return new Map<string, Buffer | string>([
    ['assets/site.css', styleOf(kind)],
    ...(icon ? [['favicon.svg', readFileSync(icon, 'utf8')] as const] : []),
    ...fonts.map(({ name, url }) => [`${fontFolder}${name}`, readFileSync(url)] as const),
  ])
}

/** The fonts that a site's pages preload. */
export function fontPaths(kind: Kind): readonly string[] {
  const paths =
    knownFonts.get(kind) ??
    foldersOf(kind).flatMap((folder) => filesIn(folder, /\.woff2$/).map(({ name }) => `${fontFolder}${name}`))
  knownFonts.set(kind, paths)
  return paths
}

/** Cached because every page needs it. */
const knownFonts = new Map<Kind, readonly string[]>()

/** The shared folder, then the kind's folder if it has one. */
const foldersOf = ({ site }: Kind): URL[] => (site.look ? [shared, site.look] : [shared])

function styleOf({ site }: Kind): string {
  const own = site.look ? [new URL('style.css', site.look)] : []
  const all = [...sheets.map((name) => new URL(name, shared)), ...own, new URL('print.css', shared)]
  return all.map((url) => readFileSync(url, 'utf8')).join('\n')
}

const filesIn = (folder: URL, pattern: RegExp) =>
  readdirSync(folder)
    .filter((name) => pattern.test(name))
    .sort()
    .map((name) => ({ name, url: new URL(name, folder) }))
