/** The revisions of the protocol that every site's server answers in, the newest first. */
export const mcpRevisions = ['2026-07-28', '2025-11-25'] as const

export const mcpPath = '/mcp'

/** What the server can do beside nothing: its lists never change while it runs, so no one need be told. */
export const mcpCapabilities = { tools: {}, resources: {}, prompts: {} } as const

/** The name of a site's server: its host from the widest label to the narrowest, and the slug. */
export const serverName = (baseUrl: string, slug: string): string =>
  `${new URL(baseUrl).hostname.split('.').reverse().join('.')}/${slug}`
