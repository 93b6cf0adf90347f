import type { Operation } from '../../../contract/define-operation.ts'
import { referenceAddress } from '../../../contract/generators/reference-address.ts'
import { freeSearches, prices } from '../../../ledger/prices.ts'
import { sitePrompts } from '../../../mcp/prompts.ts'
import { mcpPath, mcpRevisions } from '../../../mcp/protocol/protocol.ts'
import { listResources, listTemplates } from '../../../mcp/resources.ts'
import { toolName } from '../../../mcp/tools/describe-tool.ts'
import type { ToolEntry } from '../../../mcp/tools/tool-entry.ts'
import { siteWordsOf } from '../../../mcp/tools/tool-text.ts'
import { entriesOf } from '../../../mcp/tools/tools.ts'
import { labels } from '../../../mcp/tools/trust-labels.ts'
import type { DocumentSite } from '../document-site.ts'
import { curl } from '../examples/curl.ts'
import { operationNamed } from '../examples/examples.ts'
import type { TextFacts } from '../fill.ts'
import { codeFence } from '../markdown-parts.ts'
import { keyOf } from './authentication.ts'
import { connectCommand, connectCommonCommand } from './mcp-setup.ts'

const [modern, legacy] = mcpRevisions
const accept = 'application/json, text/event-stream'
const method = 'tools/call'
/** A tool that needs no key, costs nothing and takes no arguments. */
const name = 'get_status'

/** A call in the newest revision, in which each request is self-contained. */
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

/** The same call in the previous revision, without its handshake, which a stateless server does not need. */
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

/** The tools of the site and their behaviour, from the tool table. */
export function mcpFacts(site: DocumentSite): TextFacts {
  const [modern, legacy] = mcpRevisions
  return {
    revisions: mcpRevisions.map((revision) => `\`${revision}\``).join(' and '),
    modern,
    legacy,
    connect: codeFence('sh', connectCommand(site)),
    connect_common: codeFence('sh', connectCommonCommand(site)),
    kinds: site.family.map(({ kind }) => `\`${kind}\``).join(', '),
    tools: toolGroups(site),
    without_tool: listWithoutTool(site),
    resources: resourceList(site.baseUrl),
    prompts: sitePrompts(site.kind)
      .list.map(({ name, description }) => `- \`${name}\`: ${description}`)
      .join('\n'),
    labels: labelPlaces.map(([place, label]) => `- ${place}: ${label}`).join('\n'),
    free_with_key: String(freeSearches.withKey),
    free_without_key: String(freeSearches.withoutKey),
    search_micros: String(prices.searchMicros),
    curl_modern: codeFence('sh', curlByTool(site)),
    curl_legacy: codeFence('sh', curlByToolOfBefore(site)),
    inspector: codeFence('sh', inspectorOf(site)),
  }
}

/** One list per API tag, in table order. A table with five columns would not fit on a phone. */
function toolGroups(site: DocumentSite): string {
  const tools = entriesOf([site.kind]).map((entry) => ({ entry, operation: operationNamed(site, entry.operation) }))
  const tags = new Set(tools.map(({ operation }) => operation.tag))
  return [...tags]
    .map((tag) => {
      const items = tools.filter(({ operation }) => operation.tag === tag)
      return `### ${tag}\n\n${items.map(({ entry, operation }) => toolItem(site, entry, operation)).join('\n')}`
    })
    .join('\n\n')
}

function toolItem({ kind }: DocumentSite, entry: ToolEntry, operation: Operation): string {
  const cost = firstSentence(entry.costs([kind]))
  return `- **\`${toolName(entry, siteWordsOf(kind))}\`**: ${entry.summary} ${cost} Key ${keyOf[operation.access]}. ${linkTo(operation, entry)}`
}

/** Only models need the rest. A full stop ends the sentence only before a space or at the end of the text. */
const firstSentence = (text: string): string => `${text.split(/\.(?: |$)/, 1)[0]}.`

const resourceList = (baseUrl: string): string =>
  [
    ...listResources(baseUrl).map(({ uri, description }) => `- [${uri}](${uri}): ${description}`),
    ...listTemplates(baseUrl).map(({ uriTemplate, description }) => `- \`${uriTemplate}\`: ${description}`),
  ].join('\n')

/** The link text includes the query parameters that the tool fixes. */
function linkTo(operation: Operation, entry?: ToolEntry): string {
  const { method, path } = operation
  const asked = Object.entries(entry?.fixed?.query ?? {}).filter(([, value]) => value !== 'false')
  const query = asked.length > 0 ? `?${new URLSearchParams(asked)}` : ''
  return `[${method} ${path}${query}](${referenceAddress(operation)})`
}

const listWithoutTool = ({ kind, operations }: DocumentSite): string =>
  operations
    .filter(({ access }) => access !== 'owner')
    .filter(({ id }) => entriesOf([kind]).every(({ operation }) => operation !== id))
    .map((operation) => linkTo(operation))
    .join(', ')

const said = (members: object): string =>
  Object.entries(members)
    .map(([name, value]) => `\`"${name}": ${JSON.stringify(value)}\``)
    .join(' and ')

const labelPlaces = [
  ['On the tool definition', `\`"openWorldHint": true\` in \`annotations\`, and in \`_meta\` ${said(labels.tool)}`],
  ['On its result', `in \`_meta\` ${said(labels.result)}`],
  ['On the text block of the result', `in \`_meta\` ${said(labels.block)}`],
  ['In the JSON itself', '`"content_trust": "untrusted-user-content"`, on a list and on each of its posts'],
]
