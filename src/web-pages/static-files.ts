import { createHash } from 'node:crypto'

/** A style sheet, a script or the icon. */
export type StaticFile = { path: `/${string}`; type: string; text: string; url: string }

/** The URL contains a hash of the content, so that browsers can cache it forever. */
export function staticFile(path: `/${string}`, type: string, text: string): StaticFile {
  const version = createHash('sha256').update(text).digest('base64url').slice(0, 12)
  return { path, type, text, url: `${path}?v=${version}` }
}

/** At the path that browsers request by default. */
export const icon = staticFile(
  '/favicon.ico',
  'image/svg+xml',
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><title>Broadside</title><path fill="#8a2b1c" d="M0 0h32v32H0z"/><path fill="#fff" d="M8 6h9c5 0 7 2 7 5s-2 4-4 4.500c3 .5 5 2 5 5.500s-3 6-8 6H8zm5 4v4h3c2 0 3-.5 3-2s-1-2-3-2zm0 8v5h3c3 0 4-1 4-2.500S19 18 16 18z"/></svg>',
)
