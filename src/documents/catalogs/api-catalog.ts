import { postLicense, rslFile } from '../../contract/post-license.ts'
import { mcpPath } from '../../mcp/protocol/protocol.ts'
import { commonMcpUrl } from '../../mcp/servers.ts'
import type { DocumentedSite } from '../deployment.ts'

type Target = { href: string; type?: string; title?: string }

/** The RFC 9727 catalog as an RFC 9264 linkset: this site's APIs, and the catalogs of its sister sites. */
export const apiCatalog = (site: DocumentedSite) => ({
  linkset: [contents(site), api(site), mcp(site), commonMcp(site)],
})

function contents({ baseUrl, sisters, deployment }: DocumentedSite) {
  return {
    anchor: `${baseUrl}/.well-known/api-catalog`,
    item: [`${baseUrl}/v1`, commonMcpUrl(deployment.accountPageUrl), `${baseUrl}${mcpPath}`].map((href) => ({ href })),
    'api-catalog': sisters.map((sister) => ({
      href: `${sister.baseUrl}/.well-known/api-catalog`,
      title: sister.title,
    })),
  }
}

function api({ baseUrl }: DocumentedSite) {
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
      at('/.well-known/agent-skills/index.json', 'application/json'),
      at('/plans.json', 'application/json'),
      at('/rate-limits.json', 'application/json'),
      at('/policy.json', 'application/json'),
      at('/problems/index.json', 'application/json'),
    ],
    status: [at('/v1/status', 'application/json')],
    license: [
      { href: postLicense.url, title: 'Licence for user posts' },
      { ...at(`/${rslFile.path}`, rslFile.mediaType), title: 'Licence for user posts, in RSL' },
    ],
  }
}

const mcp = ({ baseUrl }: DocumentedSite) => ({
  anchor: `${baseUrl}${mcpPath}`,
  'service-desc': [{ href: `${baseUrl}/mcp/server-card`, type: 'application/mcp-server-card+json' }],
  'service-doc': [
    { href: `${baseUrl}/docs/mcp/`, type: 'text/html' },
    { href: `${baseUrl}/docs/mcp.md`, type: 'text/markdown' },
  ],
})

/** The server for all sites, which is elsewhere. */
const commonMcp = ({ baseUrl, deployment }: DocumentedSite) => ({
  anchor: commonMcpUrl(deployment.accountPageUrl),
  'service-desc': [{ href: `${baseUrl}/server.json`, type: 'application/json' }],
  'service-doc': [
    { href: `${baseUrl}/docs/mcp/setup/`, type: 'text/html' },
    { href: `${baseUrl}/docs/mcp/setup.md`, type: 'text/markdown' },
  ],
})
