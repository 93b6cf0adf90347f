import { kinds } from '../../../src/kinds/index.ts'
import { commonTools, toolsOf } from '../../../src/mcp/tools/describe-tool.ts'
import { operationsOf } from '../../../src/operations.ts'
import type { Contract, Entry, Parts, Schema } from '../contract.ts'
import { reachedSchemas } from './documents.ts'
import { plainSchema } from './plain-schema.ts'

/** A tool, and the operation that it calls. */
export type ListedTool = { name: string; inputSchema: Schema; operation: string }
/** The tools of each server. */
export type ToolLists = Record<string, ListedTool[]>

/** The server for all sites. */
export const commonServer = 'all-sites'

export function readTools(): ToolLists {
  const sites = kinds.map((kind) => ({ kind, operations: operationsOf(kind) }))
  const listed = (tools: ReturnType<typeof toolsOf>): ListedTool[] =>
    tools.map(({ tool, operation }) => ({
      name: tool.name,
      inputSchema: tool.inputSchema,
      operation: `${operation.method} ${operation.path}`,
    }))
  return {
    ...Object.fromEntries(sites.map(({ kind, operations }) => [kind.site.slug, listed(toolsOf(kind, operations))])),
    [commonServer]: listed(commonTools(sites)),
  }
}

/**
 * A tool returns what its operation returns. The tools of the server for all sites return the same, so they are
 * compared by their arguments alone.
 */
export function toolParts(lists: ToolLists, openapi: Parts): Parts {
  const parts = Object.entries(lists).map(([server, tools]) => [server, readServer(tools, openapi[server])])
  return Object.fromEntries(parts)
}

function readServer(tools: ListedTool[], site: Contract | undefined): Contract {
  const entries = Object.fromEntries(tools.map((tool) => [tool.name, readTool(tool, site)]))
  return { entries, schemas: reachedSchemas(entries, site?.schemas ?? {}) }
}

function readTool({ inputSchema, operation }: ListedTool, site: Contract | undefined): Entry {
  const outputs = Object.entries(site?.entries[operation]?.outputs ?? {}).filter(([name]) => /^2\d\d \w+\//.test(name))
  return {
    inputs: { arguments: { schema: plainSchema(inputSchema) } },
    ...(outputs.length > 0
      ? { outputs: Object.fromEntries(outputs.map(([name, output]) => [`result of ${name}`, output])) }
      : {}),
  }
}
