import { licenseUrl } from '../publishing/license.ts'
import type { Site } from './deployment.ts'

type Target = { href: string; type?: string; title?: string }

/** The RFC 9727 catalog, a linkset of RFC 9264: this site's interfaces, and the catalogs of its sisters. */
export function apiCatalog(site: Site) {
  const isOpen = site.isOpen('/mcp')
  return { linkset: [contents(site, isOpen), api(site), ...(isOpen ? [mcp(site)] : [])] }
}

function contents({ baseUrl, sisters }: Site, hasMcp: boolean) {
  return {
    anchor: `${baseUrl}/.well-known/api-catalog`,
    item: [{ href: `${baseUrl}/v1` }, ...(hasMcp ? [{ href: `${baseUrl}/mcp` }] : [])],
    'api-catalog': sisters.map((sister) => ({
      href: `${sister.baseUrl}/.well-known/api-catalog`,
      title: sister.title,
    })),
  }
}

function api({ baseUrl }: Site) {
  const at = (path: string, type: string): Target => ({ href: `${baseUrl}${path}`, type })
  return {
    anchor: `${baseUrl}/v1`,
    'service-desc': [
      at('/openapi.yml', 'application/yaml'),
      at('/openapi.json', 'application/json'),
      at('/asyncapi.yml', 'application/yaml'),
    ],
    'service-doc': [at('/docs/', 'text/html'), at('/llms.txt', 'text/markdown'), at('/skill.md', 'text/markdown')],
    'service-meta': [
      at('/apis.json', 'application/json'),
      at('/plans.json', 'application/json'),
      at('/rate-limits.json', 'application/json'),
      at('/policy.json', 'application/json'),
      at('/problems/index.json', 'application/json'),
    ],
    status: [at('/v1/status', 'application/json')],
    license: [{ href: licenseUrl, title: 'Of the posts, which users wrote' }],
  }
}

const mcp = ({ baseUrl }: Site) => ({
  anchor: `${baseUrl}/mcp`,
  'service-desc': [{ href: `${baseUrl}/mcp/server-card`, type: 'application/mcp-server-card+json' }],
})
