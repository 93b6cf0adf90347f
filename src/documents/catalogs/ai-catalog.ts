import type { DocumentedSite } from '../deployment.ts'

const types = {
  catalog: 'application/ai-catalog+json',
  serverCard: 'application/mcp-server-card+json',
  skill: 'application/agent-skills+md',
}

type Entry = { identifier: string; displayName: string; type: string; url: string }

/**
 * The AI catalog for /.well-known/ai-catalog.json: this site's skill and MCP server, and the sister sites' catalogs.
 */
export function aiCatalog(site: DocumentedSite) {
  const { baseUrl, hostname, slug, title } = site
  const entries: Entry[] = [
    {
      identifier: `urn:air:${hostname}:skill:${slug}`,
      displayName: `Using ${title}`,
      type: types.skill,
      url: `${baseUrl}/skill.md`,
    },
    {
      identifier: `urn:air:${hostname}:mcp:${slug}`,
      displayName: title,
      type: types.serverCard,
      url: `${baseUrl}/mcp/server-card`,
    },
    ...site.sisters.map((sister) => ({
      identifier: `urn:air:${sister.hostname}:catalog:${sister.slug}`,
      displayName: sister.title,
      type: types.catalog,
      url: `${sister.baseUrl}/.well-known/ai-catalog.json`,
    })),
  ]
  return {
    specVersion: '1.0',
    host: { displayName: title, identifier: hostname, documentationUrl: `${baseUrl}/docs/` },
    // `mediaType` is the former name of `type`. Both are present, for older and newer readers.
    entries: entries.map((entry) => ({ ...entry, mediaType: entry.type })),
  }
}
