import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Contracts } from '../contract.ts'
import { documentParts } from '../extract/documents.ts'
import { readPython } from '../extract/python.ts'
import { clientPart, type Sources } from '../extract/read-contracts.ts'
import { type ToolLists, toolParts } from '../extract/tools.ts'
import { readDeclarations } from '../extract/typescript.ts'

// biome-ignore lint/suspicious/noExplicitAny: a seed changes any part of a document.
export type Json = Record<string, any>

/** A change of one source, and the identifiers of all changes that the check must find in it. */
export type Seed = {
  name: string
  changes: string[]
  /** These change the documents of each site, and the tools of each server. */
  openapi?: (document: Json, site: string) => unknown
  asyncapi?: (document: Json, site: string) => unknown
  problems?: (catalogue: Json, site: string) => unknown
  tools?: (tools: Json[], server: string) => unknown
  /** Replaces a text in a file of the client: `[file, old, new]`. */
  typescript?: Replacement
  python?: Replacement
}

type Replacement = [file: string, old: string, text: string]

/** The contracts after each seed. Clients are read all at once, which is faster. */
export function plant(seeds: readonly Seed[], sources: Sources, before: Contracts): Map<Seed, () => Contracts> {
  const typescript = readEach(
    seeds.map((seed) => seed.typescript),
    (replacements) => readDeclarations(replacements.map((one) => replaced(sources.declarations, one))),
  )
  const python = readEach(
    seeds.map((seed) => seed.python),
    (replacements) => readCopies(sources.python, replacements),
  )
  const planted = seeds.map((seed, index): [Seed, () => Contracts] => {
    if (seed.typescript) return [seed, () => ({ ...before, typescript: clientPart(typescript[index]) })]
    if (seed.python) return [seed, () => ({ ...before, python: clientPart(python[index]) })]
    return [seed, () => ({ ...before, ...plantInDocuments(seed, sources, before) })]
  })
  return new Map(planted)
}

/** Reads what is there, and keeps its position. */
function readEach<Value>(
  replacements: (Replacement | undefined)[],
  read: (present: Replacement[]) => Value[],
): (Value | undefined)[] {
  const present = replacements.filter((one) => one !== undefined)
  const values = read(present)
  return replacements.map((one) => (one ? values[present.indexOf(one)] : undefined))
}

function plantInDocuments(seed: Seed, sources: Sources, before: Contracts): Partial<Contracts> {
  const change = seed.openapi ?? seed.asyncapi ?? seed.problems
  if (!change) {
    const tools = structuredClone(sources.tools)
    for (const [server, list] of Object.entries(tools)) seed.tools?.(list, server)
    return { mcp: toolParts(tools, before.openapi) }
  }
  const kind = seed.openapi ? 'openapi' : seed.asyncapi ? 'asyncapi' : 'problems'
  const sites = Object.entries(sources.documents).map(([site, documents]) => {
    const document = structuredClone(documents[kind])
    change(document, site)
    return [site, { ...documents, [kind]: document }]
  })
  const parts = documentParts(Object.fromEntries(sites) as Sources['documents'])
  return { [kind]: parts[kind], ...(kind === 'openapi' ? { mcp: toolParts(sources.tools, parts.openapi) } : {}) }
}

function replaced(files: Record<string, string>, [file, old, text]: Replacement): Record<string, string> {
  const content = files[file]
  assert(content, `The client has no ${file}.`)
  assert(content.includes(old), `${file} has no “${old}”.`)
  return { ...files, [file]: content.replace(old, text) }
}

function readCopies(folder: string, replacements: Replacement[]) {
  const copies = mkdtempSync(join(tmpdir(), 'broadside-python-'))
  try {
    const folders = replacements.map(([file, old, text], index) => {
      const copy = join(copies, String(index))
      cpSync(folder, copy, { recursive: true, filter: (path) => !path.endsWith('__pycache__') })
      const path = join(copy, 'broadside', file)
      writeFileSync(path, String(replaced({ [file]: readFileSync(path, 'utf8') }, [file, old, text])[file]))
      return copy
    })
    return readPython(folders)
  } finally {
    rmSync(copies, { recursive: true, force: true })
  }
}

/** Two sites and the server for all sites show whether a change is named once, and with its site. */
export const twoSites = ({ documents, tools, ...others }: Sources): Sources => ({
  ...others,
  documents: pick(documents, ['messages', 'events']),
  tools: pick(tools, ['messages', 'events', 'all-sites']) satisfies ToolLists,
})

const pick = <Value>(from: Record<string, Value>, names: string[]): Record<string, Value> =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)))
