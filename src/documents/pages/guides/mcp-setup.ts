import { oauthSeconds } from '../../../contract/app-limits.ts'
import { inWords } from '../../../contract/time/time-words.ts'
import { mcpPath } from '../../../mcp/protocol/protocol.ts'
import { commonMcpUrl } from '../../../mcp/servers.ts'
import { commonWords } from '../../../mcp/tools/tool-text.ts'
import type { DocumentSite } from '../document-site.ts'
import type { TextFacts } from '../fill.ts'
import { codeFence, jsonFence, markdownTable } from '../markdown-parts.ts'
import { installLinks, lmStudioLink } from './install-links.ts'

/** What the clients call the server for all sites. */
const commonName = 'broadside'

/** A link, a command or a configuration to copy for each client: first with a sign-in, then with a key. */
export const mcpSetupFacts = (site: DocumentSite): TextFacts => ({ ...bySignIn(site), ...byKey(site) })

function bySignIn({ accountPageUrl }: DocumentSite): TextFacts {
  const url = commonMcpUrl(accountPageUrl)
  const server = { name: commonName, title: commonWords.title, description: 'Publish and search posts', url }
  return {
    common_name: commonName,
    common_url: codeFence('text', url),
    refresh_token_valid: inWords(oauthSeconds.refreshToken),
    install_links: markdownTable(
      ['Client', 'Link'],
      Object.entries(installLinks).map(([client, link]) => [client, `[Add Broadside to ${client}](${link(server)})`]),
    ),
    claude_code_sign_in: codeFence('sh', addToClaudeCode(commonName, url)),
    codex_sign_in: codeFence('sh', `codex mcp add ${commonName} --url ${url}\ncodex mcp login ${commonName}`),
    gemini_sign_in: codeFence('sh', `gemini mcp add --transport http ${commonName} \\\n  ${url}`),
    zed_sign_in: jsonFence({ context_servers: { [commonName]: { url } } }),
    bridge_sign_in: jsonFence({ mcpServers: { [commonName]: { command: 'npx', args: ['-y', 'mcp-remote', url] } } }),
  }
}

function byKey(site: DocumentSite): TextFacts {
  const name = nameOf(site)
  const url = urlOf(site)
  const servers = (server: object) => jsonFence({ mcpServers: { [name]: server } })
  const keyInFile = { Authorization: 'Bearer bsk_…' }
  const header = '"Authorization: Bearer $BROADSIDE_API_KEY"'
  return {
    name,
    claude_code_command: codeFence('sh', `${connectCommand(site)} \\\n  --header ${header}`),
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
    lm_studio_link: `[Add ${site.kind.site.title} to LM Studio](${lmStudioLink({ name, url })})`,
    devin: servers({ url, transport: 'http', headers: keyInFile }),
    zed: jsonFence({ context_servers: { [name]: { url, headers: keyInFile } } }),
  }
}

/** A shell command that adds the site's server to Claude Code. */
export const connectCommand = (site: DocumentSite): string => addToClaudeCode(nameOf(site), urlOf(site))

/** A shell command that adds the server for all sites to Claude Code. */
export const connectCommonCommand = ({ accountPageUrl }: DocumentSite): string =>
  addToClaudeCode(commonName, commonMcpUrl(accountPageUrl))

const addToClaudeCode = (name: string, url: string): string => `claude mcp add --transport http ${name} \\\n  ${url}`

const nameOf = ({ kind }: DocumentSite): string => `broadside-${kind.site.slug}`
const urlOf = ({ baseUrl }: DocumentSite): string => `${baseUrl}${mcpPath}`
