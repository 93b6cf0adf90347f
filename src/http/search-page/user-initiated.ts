import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether a person asked for this search: with our form, with a link on our site, or by typing the URL. Links from
 * other sites and browser prefetching must not use a search. Requests without these headers, from old browsers and
 * programs, count as asked for.
 */
export function isUserInitiated(headers: IncomingHttpHeaders): boolean {
  if (guesses.some((name) => /prefetch|prerender|preview/i.test(String(headers[name] ?? '')))) return false
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers
  // A browser sends both headers. Node's fetch sends only the mode header, so it counts as a program.
  return site === undefined || (ownSites.has(String(site)) && (mode === undefined || mode === 'navigate'))
}

/** The standard header, and its predecessors in older browsers. */
const guesses = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz']

/** `none` means the address bar, a bookmark or a start page. */
const ownSites: ReadonlySet<string> = new Set(['same-origin', 'none'])
