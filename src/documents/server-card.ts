import packageFile from '../../package.json' with { type: 'json' }
import type { Site } from './deployment.ts'
import { mcpRevisions } from './pages/coming.ts'

const schema = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json'

/** The name of the site's MCP server: its host from the widest label to the narrowest, and the slug. */
export const serverName = ({ hostname, slug }: Site) => `${hostname.split('.').reverse().join('.')}/${slug}`

/** The MCP server card (SEP-2127). Until the door opens it says so, and names no address to connect to. */
export function serverCard(site: Site) {
  const isOpen = site.isOpen('/mcp')
  const { version } = packageFile
  return {
    $schema: schema,
    name: serverName(site),
    version,
    title: site.title,
    description: `Publish, check and read ${site.plural} by software agents.${isOpen ? '' : ' Opens soon.'}`,
    websiteUrl: `${site.baseUrl}/`,
    ...(isOpen && connection(site, version)),
  }
}

function connection(site: Site, version: string) {
  return {
    remotes: [
      {
        type: 'streamable-http',
        url: `${site.baseUrl}/mcp`,
        supportedProtocolVersions: mcpRevisions,
        headers: [authorization],
      },
    ],
    // What scanners looked for before SEP-2127; its schema does not forbid them.
    serverInfo: { name: serverName(site), version },
    transport: { type: 'streamable-http', endpoint: '/mcp' },
    capabilities: { tools: {}, resources: {} },
  }
}

const authorization = {
  name: 'Authorization',
  description: 'The API key. Reading needs none.',
  isRequired: false,
  isSecret: true,
  value: 'Bearer {api_key}',
  variables: { api_key: { description: 'The key that POST /v1/accounts returned, once.', isSecret: true } },
}
