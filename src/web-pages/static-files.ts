import { createHash } from 'node:crypto'
import { readMastheadFont } from '../kinds/presentation/masthead-face.ts'

/** A style sheet, a script, the icon or the font. */
export type StaticFile = { path: `/${string}`; type: string; content: string | Buffer; url: string }

/** The URL contains a hash of the content, so that browsers can cache it forever. */
export function staticFile(path: `/${string}`, type: string, content: string | Buffer): StaticFile {
  const version = createHash('sha256').update(content).digest('base64url').slice(0, 12)
  return { path, type, content, url: `${path}?v=${version}` }
}

/** The typeface of the sites' mastheads, so that these pages look like the same company's. */
export const mastheadFont = staticFile('/abril-fatface.woff2', 'font/woff2', readMastheadFont())

/** At the path that browsers request by default. */
export const icon = staticFile(
  '/favicon.ico',
  'image/svg+xml',
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><title>Broadside</title><path fill="#1b1916" d="M0 0h32v32H0z"/><path fill="#fff" d="M6.38 5H15.78Q20.15 5 22.33 6.18Q24.52 7.36 24.52 10.15Q24.52 14.46 19.33 15.31V15.37Q25.62 16.16 25.62 20.84Q25.62 24.27 23.04 25.63Q20.46 27 15.62 27H6.38V26.4H8.43V5.6H6.38ZM14.55 15.87V26.4H16.03Q17.76 26.4 18.45 25.21Q19.14 24.01 19.14 21.69V20.02Q19.14 17.95 18.29 16.91Q17.45 15.87 15.28 15.87ZM14.55 5.6V15.28H15.37Q17.01 15.28 17.65 14.29Q18.29 13.3 18.29 11.25V9.78Q18.29 7.45 17.73 6.52Q17.16 5.6 15.56 5.6Z"/></svg>',
)
