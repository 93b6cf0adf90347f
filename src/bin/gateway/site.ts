import { dirname, join } from 'node:path'
import { contentUsage, licenseLinks, rslFile } from '../../contract/post-license.ts'
import { kinds } from '../../kinds/index.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import { quote, quotePlain, render, renderPart, type Values } from './template.ts'

/** `name`: the folder of the site. `listen`: addresses such as `127.0.0.1:4001`. `root`: the static files. */
export type SiteServer = { name: string; baseUrl: string; root: string; listen: readonly string[] }

export type Cdn = NonNullable<Settings['GATEWAY_CDN']>

/** How each CDN reads surrogate keys and its own lifetime, which browsers do not get. */
const cdnHeaders: Record<Cdn, Values> = {
  fastly: { key_header: 'Surrogate-Key', separator: ' ', lifetime_header: 'Surrogate-Control' },
  cloudflare: { key_header: 'Cache-Tag', separator: ',', lifetime_header: 'CDN-Cache-Control' },
}

/** Settings shared by all servers of a gateway. */
export type Shared = {
  api: string
  /** How files are found, if not in a folder. */
  store: { live: string; stored_file: string; log_file: string }
  /** The values of limits that only sites have. */
  limits: Values
  cardSeconds: number
  strictTransport: string
  /** Whether a separate server handles requests for other names. */
  hasStrangers: boolean
  /** The addresses of all sites and of the owner page, which has the log. */
  origins: readonly string[]
  /** The CDN in front of the gateway, if there is one. */
  cdn?: Cdn | undefined
  /** The lines by which a server for these addresses listens. */
  listenLines: (listen: readonly string[]) => string
}

/** A page loads nothing from other origins, and inline code does not run. */
export const policies = pagePolicies()

/** `connects` are the other origins that scripts of the page may read. */
function pagePolicies(connects: readonly string[] = []) {
  return {
    content_security_policy: quote(
      "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' data:; script-src 'self'; " +
        `connect-src ${["'self'", ...connects].join(' ')}; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`,
    ),
    referrer_policy: 'strict-origin-when-cross-origin',
  }
}

/** The first part of the paths of lists, on any site. */
const listingTypes = [
  'topics',
  'places',
  ...new Set(kinds.flatMap((kind) => Object.keys(kind.listingTypes ?? {}))),
  'today',
  'weekend',
]

/** The nginx server block of one site. */
export function renderSite({ name, baseUrl, root, listen }: SiteServer, shared: Shared): string {
  const { api, store, limits, cardSeconds, strictTransport, hasStrangers, listenLines, cdn } = shared
  const own_name = hasStrangers ? '' : renderPart('own-name', { pattern: ownName(baseUrl) })
  const staticPart = (stored_file: string, { isCached = true } = {}) =>
    renderPart('static', {
      ...{ own_name, strict_transport: strictTransport, stored_file },
      cdn: cdn && isCached ? renderPart('cdn', cdnHeaders[cdn]) : '',
    })
  const fixed = staticPart(store.stored_file)
  const formLicense = licenseHeaders(`${licenseLinks(baseUrl)}, <${baseUrl}/p/$post_id>; rel="canonical"`)
  return render('site.conf', {
    listen: listenLines(listen),
    host: hostName(baseUrl),
    root: quote(root),
    live: store.live,
    log_root: quote(join(dirname(root), 'log')),
    name: quote(name),
    cdn_key: cdn ? renderPart('cdn-key', { site: name }) : '',
    ...limits,
    api,
    listings: listingTypes.join('|'),
    static: fixed,
    log_static: staticPart(store.log_file),
    // A CDN must not keep it: readers compare it with newer proofs.
    checkpoint_static: staticPart(store.log_file, { isCached: false }),
    changing: renderPart('changing', { static: fixed }),
    // Not marked for a CDN, which may keep it for as long as a browser: the gateway's cache is not told of changes.
    card: renderPart('card', {
      static: staticPart('', { isCached: false }),
      form_license: formLicense,
      card_seconds: cardSeconds,
    }),
    server_card: renderPart('server-card', { static: fixed }),
    page_policies: renderPart('page-policies', policies),
    verify_policies: renderPart('page-policies', pagePolicies(shared.origins.filter((origin) => origin !== baseUrl))),
    policies_by_type: renderPart('policies-by-type'),
    feed_types: renderPart('feed-types'),
    license: licenseHeaders(licenseLinks(baseUrl)),
    rsl_path: `/${rslFile.path}`,
    rsl_type: rslFile.mediaType,
    form_license: formLicense,
    catalog_link: quote(`<${baseUrl}/.well-known/api-catalog>; rel="api-catalog"`),
  })
}

const licenseHeaders = (links: string) =>
  `add_header Link ${quote(links)}; add_header Content-Usage ${quote(contentUsage)};`

/** The values of the Host header for the site. Some callers include the default port. */
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

/** The host without its port, because nginx matches server names without it. */
export const hostName = (baseUrl: string) => quote(new URL(baseUrl).hostname)
