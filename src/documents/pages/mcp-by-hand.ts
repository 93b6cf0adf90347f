import { mcpPath, mcpRevisions } from '../../mcp/protocol.ts'
import { curl } from './curl.ts'
import type { DocumentSite } from './document-site.ts'

const [modern, legacy] = mcpRevisions
const accept = 'application/json, text/event-stream'
const method = 'tools/call'
/** Needs no key, costs nothing and takes no argument. */
const name = 'get_status'

/** A call as the newest revision has it: each request says for itself all that the server must know. */
export const curlByTool = (site: DocumentSite): string =>
  post(
    site,
    { accept, 'mcp-protocol-version': modern, 'mcp-method': method, 'mcp-name': name },
    {
      name,
      arguments: {},
      _meta: {
        'io.modelcontextprotocol/protocolVersion': modern,
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  )

/** The same by the revision before, whose handshake may be left out where nothing is kept between requests. */
export const curlByToolOfBefore = (site: DocumentSite): string =>
  post(site, { accept, 'mcp-protocol-version': legacy }, { name, arguments: {} })

const post = ({ baseUrl }: DocumentSite, headers: Record<string, string>, params: object): string =>
  curl({
    method: 'POST',
    url: `${baseUrl}${mcpPath}`,
    headers,
    body: { jsonrpc: '2.0', id: 1, method, params },
  })

export const inspectorOf = ({ baseUrl }: DocumentSite): string =>
  `npx @modelcontextprotocol/inspector \\\n  --cli ${baseUrl}${mcpPath} \\\n` +
  `  --transport http --protocol-era modern \\\n  --method ${method} --tool-name ${name}`
