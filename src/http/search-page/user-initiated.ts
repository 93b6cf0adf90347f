import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether somebody asked for this themselves: by our form, by a link of ours, or by typing. A search that a link from
 * elsewhere or a browser's guess brings along must not use anything up. Who says nothing of where a request comes from,
 * as old browsers and programs do, has asked.
 */
export function isUserInitiated(headers: IncomingHttpHeaders): boolean {
  if (guesses.some((name) => /prefetch|prerender|preview/i.test(String(headers[name] ?? '')))) return false
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers
  // A browser that names one names both. Node's fetch names a mode alone, and is a program.
  return site === undefined || (ownSites.has(String(site)) && (mode === undefined || mode === 'navigate'))
}

/** The standard one, and those that browsers sent before it. */
const guesses = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz']

/** `none` is the address bar, a bookmark or a start page. */
const ownSites: ReadonlySet<string> = new Set(['same-origin', 'none'])
