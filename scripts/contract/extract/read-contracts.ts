import { join } from 'node:path'
import type { Contract, Contracts, Parts } from '../contract.ts'
import { type Documents, documentParts, readDocuments } from './documents.ts'
import { readPython } from './python.ts'
import { readTools, type ToolLists, toolParts } from './tools.ts'
import { type Declarations, emitDeclarations, readDeclarations } from './typescript.ts'

/** What the contracts are read from. */
export type Sources = {
  documents: Documents
  tools: ToolLists
  declarations: Declarations
  /** The folder with the Python package. */
  python: string
}

export const readSources = (root: string): Sources => ({
  documents: readDocuments(root),
  tools: readTools(),
  declarations: emitDeclarations(root),
  python: join(root, 'clients/python/src'),
})

export function contractsOf({ documents, tools, declarations, python }: Sources): Contracts {
  const ofDocuments = documentParts(documents)
  return {
    ...ofDocuments,
    mcp: toolParts(tools, ofDocuments.openapi),
    typescript: clientPart(readDeclarations([declarations])[0]),
    python: clientPart(readPython([python])[0]),
  }
}

export function clientPart(client: Contract | undefined): Parts {
  if (!client) throw new Error('A client could not be read.')
  return { client }
}
