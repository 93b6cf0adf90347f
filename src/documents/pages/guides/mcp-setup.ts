import { mcpPath } from '../../../mcp/protocol/protocol.ts'
import { commonMcpUrl } from '../../../mcp/servers.ts'
import type { DocumentSite } from '../document-site.ts'
import type { TextFacts } from '../fill.ts'
import { codeFence, jsonFence } from '../markdown-parts.ts'

/** A configuration to copy for each client. */
export function mcpSetupFacts(site: DocumentSite): TextFacts {
  const name = nameOf(site)
  const url = urlOf(site)
  const servers = (server: object) => jsonFence({ mcpServers: { [name]: server } })
  const keyInFile = { Authorization: 'Bearer bsk_…' }
  return {
    name,
    common_mcp_url: commonMcpUrl(site.accountPageUrl),
    claude_code_command: codeFence('sh', connectCommand(site, '"Authorization: Bearer $BROADSIDE_API_KEY"')),
    // biome-ignore-start lint/suspicious/noTemplateCurlyInString: the clients fill these in.
    claude_code: servers({ type: 'http', url, headers: { Authorization: 'Bearer ${BROADSIDE_API_KEY}' } }),
    claude_desktop: servers({
      command: 'npx',
      args: ['-y', 'mcp-remote', url, '--header', 'Authorization:${AUTH_HEADER}'],
      env: { AUTH_HEADER: 'Bearer bsk_…' },
    }),
    cursor: servers({ url, headers: { Authorization: 'Bearer ${env:BROADSIDE_API_KEY}' } }),
    vs_code: jsonFence({
      inputs: [{ type: 'promptString', id: 'broadside-key', description: 'Broadside API key', password: true }],
      servers: { [name]: { type: 'http', url, headers: { Authorization: 'Bearer ${input:broadside-key}' } } },
    }),
    windsurf: servers({ serverUrl: url, headers: { Authorization: 'Bearer ${env:BROADSIDE_API_KEY}' } }),
    // biome-ignore-end lint/suspicious/noTemplateCurlyInString: as above.
    codex_command: codeFence('sh', `codex mcp add ${name} --url ${url} \\\n  --bearer-token-env-var BROADSIDE_API_KEY`),
    codex: codeFence('toml', `[mcp_servers.${name}]\nurl = "${url}"\nbearer_token_env_var = "BROADSIDE_API_KEY"`),
    gemini: servers({ httpUrl: url, headers: { Authorization: 'Bearer $BROADSIDE_API_KEY' } }),
    devin: servers({ url, transport: 'http', headers: keyInFile }),
    zed: jsonFence({ context_servers: { [name]: { url, headers: keyInFile } } }),
  }
}

/** A shell command that adds the server to Claude Code, with an optional header. */
export const connectCommand = (site: DocumentSite, header?: string): string =>
  `claude mcp add --transport http ${nameOf(site)} \\\n  ${urlOf(site)}${header ? ` \\\n  --header ${header}` : ''}`

const nameOf = ({ kind }: DocumentSite): string => `broadside-${kind.site.slug}`
const urlOf = ({ baseUrl }: DocumentSite): string => `${baseUrl}${mcpPath}`
