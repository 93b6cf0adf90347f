/** The protocol revisions that every site's server supports, newest first. */
export const mcpRevisions = ['2026-07-28', '2025-11-25'] as const

export const mcpPath = '/mcp'

/** The server's capabilities. Its lists never change while it runs, so it sends no change notifications. */
export const mcpCapabilities = { tools: {}, resources: {}, prompts: {} } as const

/** The name of a site's server: the host in reverse domain order, a slash and the slug. */
export const serverName = (baseUrl: string, slug: string): string =>
  `${new URL(baseUrl).hostname.split('.').reverse().join('.')}/${slug}`
