import { commonServer } from '../../mcp/servers.ts'
import { operationsOf } from '../../operations.ts'
import { type DocumentedSite, documentedSites } from '../deployment.ts'

const schema = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'

/**
 * The entry of the MCP registry for the server of all sites, the same on every site. It names no header: a client that
 * finds one asks for a key, although the server offers a sign-in.
 */
export function serverJson({ deployment }: DocumentedSite) {
  const sites = documentedSites(deployment).map(({ kind, baseUrl }) => ({
    ...{ kind, baseUrl },
    operations: operationsOf(kind),
  }))
  const { url, info } = commonServer(sites, deployment.accountPageUrl)
  const { name, title, description, version, websiteUrl } = info
  return {
    $schema: schema,
    ...{ name, title, description, version, websiteUrl },
    remotes: [{ type: 'streamable-http', url }],
  }
}
