import { callTool } from './call-tool.ts'
import { readPlainCall, writePlainAnswer } from './plain-call.ts'
import { type McpSite, type Serving, servedSite } from './site.ts'
import { speakProtocol } from './speak-protocol.ts'

/** The server of one site: plain calls of tools are answered here, all else by the package for the protocol. */
export function serveSite(site: McpSite): Serving {
  const served = servedSite(site)
  const protocol = speakProtocol(served)
  return {
    answer: async (arrived) => {
      const call = readPlainCall(arrived.headers, arrived.message)
      const tool = call && served.tools.get(call.name)
      if (!tool) return protocol.answer(arrived)
      return writePlainAnswer(call, await callTool(tool, arrived.visit, call.given), served.info)
    },
  }
}
