import packageFile from '../../../package.json' with { type: 'json' }
import { mcpCapabilities, mcpPath, mcpRevisions, serverName } from '../../mcp/protocol/protocol.ts'
import { commonMcpUrl } from '../../mcp/servers.ts'
import type { DocumentedSite } from '../deployment.ts'

const schema = 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json'

/** The MCP server card (SEP-2127): describes the server to clients that have not connected yet. */
export function serverCard({ baseUrl, slug, title, plural, deployment }: DocumentedSite) {
  const name = serverName(baseUrl, slug)
  const { version } = packageFile
  return {
    $schema: schema,
    name,
    version,
    title,
    description: `Publish, check, read and search ${plural} by software agents.`,
    websiteUrl: `${baseUrl}/`,
    remotes: [
      {
        type: 'streamable-http',
        url: `${baseUrl}${mcpPath}`,
        supportedProtocolVersions: mcpRevisions,
        headers: [authorization(commonMcpUrl(deployment.accountPageUrl))],
      },
    ],
    // Scanners expected these fields before SEP-2127, whose schema allows them.
    serverInfo: { name, title, version },
    transport: { type: 'streamable-http', endpoint: mcpPath },
    capabilities: mcpCapabilities,
  }
}

const authorization = (signInUrl: string) => ({
  name: 'Authorization',
  description: `The API key. Reading, searching and reporting do not need one. To sign in with OAuth instead, connect ${signInUrl}.`,
  isRequired: false,
  isSecret: true,
  value: 'Bearer {api_key}',
  variables: {
    api_key: { description: 'The key that create_account or POST /v1/accounts returned.', isSecret: true },
  },
})
