import { isIP } from 'node:net'

/** The destination of a URL, as parsed from its text. */
export type Destination = {
  /** Without a trailing dot and without brackets. */
  host: string
  isLiteral: boolean
  origin: string
  path: string
}

/** Parses a URL chosen by a user, or returns a message that says what to change, without quoting the URL. */
export function readDestination(url: string): Destination | { fault: string } {
  const fault = textRules.find(({ isBroken }) => isBroken(url))?.fault
  if (fault) return { fault }
  if (!URL.canParse(url)) return { fault: faults.incomplete }
  const { port, pathname, search, hostname } = new URL(url)
  if (port !== '') return { fault: faults.port }
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const isLiteral = isIP(host) !== 0
  if (!isLiteral) {
    const named = findFaultOfName(host)
    if (named) return { fault: named }
  }
  const authority = isIP(host) === 6 ? `[${host}]` : host
  return { host, isLiteral, origin: `https://${authority}`, path: `${pathname}${search}` }
}

const maxUrlLength = 2_048
const maxHostLength = 253

const faults = {
  tooLong: `Shorten the URL to at most ${maxUrlLength.toLocaleString('en')} characters.`,
  characters:
    'Use printable ASCII without spaces or backslashes; write an international host name in its xn-- form and escape the rest with %.',
  scheme: 'Start the URL with https://.',
  credentials: 'Remove the user name and password. The signature authenticates the sender.',
  fragment: 'Remove the fragment (# and everything after it).',
  incomplete: 'Write a complete URL such as https://hooks.example.com/broadside.',
  port: 'Use port 443 and omit the port from the URL.',
  host: 'Use letters, digits and hyphens in the host name, with at most 253 characters and 63 per label.',
  localName: 'Use a host name that is reachable from the public internet.',
}

/**
 * Checks of the text as sent, in this order. They run before parsing, because the parser would silently correct some
 * invalid URLs.
 */
const textRules: readonly { fault: string; isBroken: (url: string) => boolean }[] = [
  { fault: faults.tooLong, isBroken: (url) => url.length > maxUrlLength },
  { fault: faults.characters, isBroken: (url) => !/^[\x21-\x5b\x5d-\x7e]*$/.test(url) },
  { fault: faults.scheme, isBroken: (url) => !/^https:\/\/(?!\/)/i.test(url) },
  { fault: faults.credentials, isBroken: (url) => authorityOf(url).includes('@') },
  { fault: faults.fragment, isBroken: (url) => url.includes('#') },
]

const authorityOf = (url: string) => /^https:\/\/([^/?#]*)/i.exec(url)?.[1] ?? ''

function findFaultOfName(host: string): string | null {
  if (host.length > maxHostLength || !host.split('.').every((label) => labelForm.test(label))) return faults.host
  const isLocal = !host.includes('.') || localSuffixes.some((suffix) => `.${host}`.endsWith(suffix))
  return isLocal ? faults.localName : null
}

const labelForm = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/

/** Names that are valid only inside a machine or network. `.arpa` includes `home.arpa`. */
const localSuffixes = ['.localhost', '.local', '.internal', '.arpa', '.onion', '.invalid']
