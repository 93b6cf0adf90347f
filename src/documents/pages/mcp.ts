import { mcpRevisions, mcpTools } from './coming.ts'
import type { DocumentSite } from './document-site.ts'
import type { Facts } from './fill.ts'
import { codeFence, jsonFence, markdownTable } from './markdown-table.ts'

/** A configuration for each client, ready to be copied. */
export function mcpFacts(site: DocumentSite): Facts {
  const name = `broadside-${site.kind.site.slug}`
  const url = `${site.baseUrl}/mcp`
  const servers = (server: object) => jsonFence({ mcpServers: { [name]: server } })
  return {
    revisions: mcpRevisions.map((revision) => `\`${revision}\``).join(' and '),
    claude_code_command: codeFence(
      'sh',
      `claude mcp add --transport http ${name} ${url} \\\n  --header "Authorization: Bearer $BROADSIDE_API_KEY"`,
    ),
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
    // biome-ignore-end lint/suspicious/noTemplateCurlyInString: as above.
    codex: codeFence('toml', `[mcp_servers.${name}]\nurl = "${url}"\nbearer_token_env_var = "BROADSIDE_API_KEY"`),
    codex_command: codeFence('sh', `codex mcp add ${name} --url ${url} --bearer-token-env-var BROADSIDE_API_KEY`),
    gemini: servers({ httpUrl: url, headers: { Authorization: 'Bearer $BROADSIDE_API_KEY' } }),
    generic: markdownTable(
      ['Setting', 'Value'],
      [
        ['Transport', 'streamable HTTP'],
        ['URL', `\`${url}\``],
        ['Header', '`Authorization: Bearer bsk_…`, or none'],
        ['Authentication', 'none, or "bearer token"; never OAuth'],
      ],
    ),
    inspector: codeFence('sh', `npx @modelcontextprotocol/inspector --cli ${url} --transport http --method tools/list`),
    tools: markdownTable(
      ['Tool', 'What it does'],
      mcpTools.map(([tool, does]) => [`\`${tool.replace('{kind}', site.kind.name)}\``, does]),
    ),
  }
}
