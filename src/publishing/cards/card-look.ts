import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Kind } from '../../kinds/index.ts'
import { mastheadFolder } from '../../kinds/presentation/masthead-face.ts'

const shared = new URL('../assets/', import.meta.url)

export const titleFontFile = fileURLToPath(new URL('abril-fatface.woff2', mastheadFolder))

const inks = ['paper', 'sheet', 'ink', 'soft', 'rule', 'accent', 'block', 'on-block'] as const

/** The colours of a site and its typeface, as its pages have them. */
export type CardLook = Record<(typeof inks)[number], string> & {
  /** The file of the typeface; null if the site has only the one for titles. */
  face: string | null
}

const known = new Map<Kind, CardLook>()

/** Read from the style sheets, so that cards and pages cannot differ. */
export function lookOf(kind: Kind): CardLook {
  const look = known.get(kind) ?? readLook(kind)
  known.set(kind, look)
  return look
}

function readLook({ site }: Kind): CardLook {
  const sheets = [new URL('tokens.css', shared), ...(site.look ? [new URL('style.css', site.look)] : [])]
  const colours = Object.assign({}, ...sheets.map((url) => lightColours(readFileSync(url, 'utf8'))))
  const face = site.look && readdirSync(site.look).find((name) => name.endsWith('.woff2'))
  return { ...colours, face: site.look && face ? fileURLToPath(new URL(face, site.look)) : null }
}

/** The colours in the first `:root` block, which are those of the light theme. */
function lightColours(css: string): Partial<CardLook> {
  const [, block = ''] = /:root \{([^}]*)\}/.exec(css) ?? []
  return Object.fromEntries(
    inks.flatMap((name) => {
      const value = new RegExp(`--${name}: (#[0-9a-f]{3,6});`).exec(block)?.[1]
      return value ? [[name, value]] : []
    }),
  )
}
