/** The only scheme of an app that is accepted, by its exact address: Cursor has no other way to sign in. */
const privateUseUris = new Set(['cursor://anysphere.cursor-mcp/oauth/callback'])

const loopback = /^http:\/\/(127\.0\.0\.1|localhost|\[::1\])(?::([0-9]{1,5}))?(\/[^#]*)?$/
const web = /^https:\/\/([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)(?::[0-9]{1,5})?(\/[^#]*)?$/

/** Whether a client may register this address: https, this computer, or an app that we know. */
export function isAcceptableRedirect(uri: string): boolean {
  if (uri.length > 2_048 || !/^[\x21-\x7e]+$/.test(uri) || /[\\"<>^`{|}]/.test(uri)) return false
  if (privateUseUris.has(uri)) return true
  if (!(loopback.test(uri) || web.test(uri)) || !URL.canParse(uri)) return false
  const path = /^[a-z]+:\/\/[^/]+(\/[^?]*)?/.exec(uri)?.[1] ?? '/'
  const segments = path.split('/').map((segment) => segment.replaceAll(/%2e/gi, '.'))
  return !segments.some((segment) => segment === '.' || segment === '..')
}

/**
 * Compares exactly, except for the port of an address on this computer: the system assigns it when the app starts
 * (RFC 8252, section 7.3).
 */
export const isRegisteredRedirect = (registered: readonly string[], uri: string): boolean =>
  isAcceptableRedirect(uri) && registered.some((known) => known === uri || isSameLoopback(known, uri))

function isSameLoopback(known: string, uri: string): boolean {
  const [first, second] = [loopback.exec(known), loopback.exec(uri)]
  if (!first || !second) return false
  return first[1] === second[1] && (first[3] ?? '/') === (second[3] ?? '/')
}

export const isLoopbackRedirect = (uri: string): boolean => loopback.test(uri)

/** Whether a redirect opens a program of the person's own computer rather than a site. */
export const opensLocalProgram = (uri: string): boolean => !uri.startsWith('https:')

/** Who receives the code, as people read it. */
export function redirectHost(uri: string): string {
  return isLoopbackRedirect(uri) ? 'this computer' : new URL(uri).hostname
}

/** The redirect with the response's parameters. */
export function redirectWith(uri: string, parameters: Record<string, string | null>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== null)
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams(given)}`
}
