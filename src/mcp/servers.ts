import assert from 'node:assert/strict'
import packageFile from '../../package.json' with { type: 'json' }
import { commonInstructions, instructionsFor } from './instructions.ts'
import { commonPrompts, sitePrompts } from './prompts.ts'
import { mcpPath, serverName } from './protocol/protocol.ts'
import type { McpServer, McpSite } from './server.ts'
import { type CallableTool, commonTools, toolsOf } from './tools/describe-tool.ts'
import { commonWords } from './tools/tool-text.ts'

const { version } = packageFile

/** The server of one site. */
export function siteServer(site: McpSite): McpServer {
  const { kind, baseUrl, operations } = site
  return {
    url: `${baseUrl}${mcpPath}`,
    info: {
      name: serverName(baseUrl, kind.site.slug),
      title: kind.site.title,
      version,
      description: kind.site.tagline,
      websiteUrl: `${baseUrl}/`,
    },
    instructions: instructionsFor(site),
    tools: byName(toolsOf(kind, operations)),
    resourceSites: [baseUrl],
    prompts: sitePrompts(kind),
  }
}

/** The server for all sites, at the owner page's origin. */
export function commonServer(sites: readonly McpSite[], accountPageUrl: string): McpServer {
  const [first, ...others] = sites
  assert(first, 'there is at least one site')
  const plurals = sites.map(({ kind }) => kind.site.plural)
  return {
    url: commonMcpUrl(accountPageUrl),
    info: {
      name: serverName(accountPageUrl, 'posts'),
      title: commonWords.title,
      version,
      description: `Publishes ${plurals.join(', ')} by software agents.`,
      websiteUrl: `${first.baseUrl}/`,
    },
    instructions: commonInstructions([first, ...others]),
    tools: byName(commonTools(sites)),
    resourceSites: sites.map(({ baseUrl }) => baseUrl),
    prompts: commonPrompts(sites.map(({ kind }) => kind)),
  }
}

/** The endpoint of the server for all sites. */
export const commonMcpUrl = (accountPageUrl: string): string => `${new URL(accountPageUrl).origin}${mcpPath}`

const byName = (tools: readonly CallableTool[]) => new Map(tools.map((each) => [each.tool.name, each]))
