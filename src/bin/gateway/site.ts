import { lines, quote, quotePlain, render, renderPart } from './template.ts'

/** `listen` has what nginx calls so: `127.0.0.1:4001 default_server`. `root` holds the site's static files. */
export type SiteServer = { baseUrl: string; root: string; listen: readonly string[] }

/** What every server of a gateway has alike. */
export type Shared = {
  api: string
  strictTransport: string
  /** Whether requests for other names arrive at a server of their own. */
  hasStrangers: boolean
}

/** What a page may load and tell: nothing of others, and nothing that stands in the page itself runs. */
export const policies = {
  content_security_policy: quote(
    "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' data:; script-src 'self'; connect-src 'self'; base-uri 'none'; " +
      "form-action 'self'; frame-ancestors 'none'",
  ),
  referrer_policy: 'strict-origin-when-cross-origin',
}

const license = '<https://creativecommons.org/licenses/by/4.0/>; rel="license"'

/** CC BY allows it; in the words of the IETF's draft. */
const usage = 'train-ai=y, search=y'

/** The server of one site. */
export function renderSite({ baseUrl, root, listen }: SiteServer, shared: Shared): string {
  const { api, strictTransport, hasStrangers } = shared
  const own_name = hasStrangers ? '' : renderPart('own-name', { pattern: ownName(baseUrl) })
  const fixed = renderPart('static', { own_name, strict_transport: strictTransport })
  return render('site.conf', {
    listen: listenLines(listen),
    host: hostName(baseUrl),
    root: quote(root),
    api,
    static: fixed,
    changing: renderPart('changing', { static: fixed }),
    server_card: renderPart('server-card', { static: fixed }),
    page_policies: renderPart('page-policies', policies),
    policies_by_type: renderPart('policies-by-type'),
    feed_types: renderPart('feed-types'),
    license: `add_header Link ${quote(license)}; add_header Content-Usage ${quote(usage)};`,
    form_link: quote(`${license}, <${baseUrl}/p/$post_id>; rel="canonical"`),
    catalog_link: quote(`<${baseUrl}/.well-known/api-catalog>; rel="api-catalog"`),
  })
}

/** How a caller may write the host. Some name the port even where it goes without saying. */
export function hostsOf(baseUrl: string): string[] {
  const { host, port, protocol } = new URL(baseUrl)
  return port === '' ? [host, `${host}:${protocol === 'https:' ? 443 : 80}`] : [host]
}

const ownName = (baseUrl: string) =>
  quotePlain(
    `^(?:${hostsOf(baseUrl)
      .map((host) => host.replaceAll(/[^\w:-]/g, '\\$&'))
      .join('|')})$`,
  )

/** Without the port, as nginx finds a server. */
export const hostName = (baseUrl: string) => quote(new URL(baseUrl).hostname)

export const listenLines = (listen: readonly string[]) => lines(listen, (where) => `listen ${where};`)
