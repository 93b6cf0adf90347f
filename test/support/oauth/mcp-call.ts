type ToolAnswer = { structuredContent?: Record<string, unknown>; content?: { text: string }[]; isError?: boolean }

/** Calls a tool in the newest revision of the protocol. */
export async function callMcpTool(
  url: string,
  { bearer, name, given }: { bearer: string | undefined; name: string; given: object },
) {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
      ...(bearer && { authorization: `Bearer ${bearer}` }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }),
  })
  const text = await response.text()
  const message = /^data: (.*)$/m.exec(text)?.[1]
  const result = message ? (JSON.parse(message) as { result?: ToolAnswer }).result : undefined
  return { status: response.status, headers: response.headers, text, result }
}
