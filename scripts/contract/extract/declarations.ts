import * as ts from 'typescript/unstable/ast'
import type { Contract, Entry, Schema } from '../contract.ts'
import { reachedSchemas } from './documents.ts'
import { type Names, readDeclaration } from './type-nodes.ts'

type Sources = ReadonlyMap<string, ts.SourceFile>
/** The declarations of a name: a class, function or constant and a type can share one. */
type Declared = { value?: ts.Node; overloads: ts.FunctionDeclaration[]; type?: ts.Node }

/** Everything that the entry points export, and the types that it reaches. */
export function readExports(sources: Sources, entryPoints: Record<string, string>): Contract {
  const declared = new Map([...sources].map(([path, source]) => [path, declarationsOf(source)]))
  const schemas: Record<string, Schema> = {}
  for (const [path, names] of declared)
    for (const [name, { value, type }] of names) {
      const scope = namesFor(declared, path)
      if (type) schemas[`${groupOf(path)}${name}`] = readDeclaration(type, scope)
      if (value && ts.isVariableDeclaration(value))
        schemas[`${groupOf(path)}const ${name}`] = readDeclaration(value, scope)
    }
  const entries: Record<string, Entry> = {}
  for (const [module, path] of Object.entries(entryPoints))
    for (const { name, from, original } of exportsOf(sources, path)) {
      const found = declared.get(from)?.get(original)
      if (!found) throw new Error(`${path} exports ${name}, which ${from} does not declare.`)
      entries[`${module}.${name}`] = readEntry(found, original, namesFor(declared, from), groupOf(from))
    }
  return { entries, schemas: reachedSchemas(entries, schemas) }
}

/** The verifier has types of its own, some with the same names. */
const groupOf = (path: string) => (path.startsWith('verify/') ? 'verify/' : '')

function namesFor(declared: ReadonlyMap<string, ReadonlyMap<string, Declared>>, path: string): Names {
  const group = groupOf(path)
  const nearest = [...declared].sort(([one], [other]) => nearness(other) - nearness(one))
  function nearness(other: string): number {
    return Number(other === path) * 2 + Number(groupOf(other) === group)
  }
  return (name) => {
    const [file, names] = nearest.find(([, all]) => all.has(name)) ?? []
    const found = names?.get(name)
    if (!file || !found) return undefined
    return `${groupOf(file)}${found.type ? '' : 'const '}${name}`
  }
}

function declarationsOf(source: ts.SourceFile): Map<string, Declared> {
  const found = new Map<string, Declared>()
  const at = (name: string): Declared => {
    const one = found.get(name) ?? { overloads: [] }
    found.set(name, one)
    return one
  }
  for (const statement of source.statements) {
    if (ts.isClassDeclaration(statement)) {
      const one = at(statement.name?.getText(source) ?? '')
      one.value = statement
      one.type = statement
    } else if (ts.isTypeAliasDeclaration(statement) || ts.isInterfaceDeclaration(statement))
      at(statement.name.getText(source)).type = statement
    else if (ts.isFunctionDeclaration(statement)) at(statement.name?.getText(source) ?? '').overloads.push(statement)
    else if (ts.isVariableStatement(statement))
      for (const one of statement.declarationList.declarations) at(one.name.getText(source)).value = one
  }
  return found
}

function readEntry({ value, overloads, type }: Declared, name: string, names: Names, group: string): Entry {
  const reference = { $ref: `#/${group}${name}` }
  if (overloads.length > 0) return { outputs: { '': { schema: readDeclaration(overloads, names) } } }
  if (value && ts.isClassDeclaration(value)) return { outputs: { '': { schema: reference } } }
  return {
    ...(value ? { outputs: { '': { schema: { $ref: `#/${group}const ${name}` } } } } : {}),
    ...(type ? { type: reference } : {}),
  }
}

type Exported = { name: string; from: string; original: string }

function exportsOf(sources: Sources, path: string): Exported[] {
  const source = sources.get(path)
  if (!source) throw new Error(`The client has no ${path}.`)
  return source.statements.flatMap((statement): Exported[] => {
    if (!ts.isExportDeclaration(statement)) return ownExports(source, path, statement)
    const from = statement.moduleSpecifier ? resolve(path, statement.moduleSpecifier.getText(source)) : path
    const clause = statement.exportClause
    if (!clause) return exportsOf(sources, from)
    if (!ts.isNamedExports(clause)) throw new Error(`${path} has an export that the contract cannot describe.`)
    return clause.elements.map((one) => {
      const name = one.name.getText(source)
      return trace(sources, { name, from, original: one.propertyName?.getText(source) ?? name })
    })
  })
}

/** Follows a name through files that export it again. */
function trace(sources: Sources, exported: Exported): Exported {
  const source = sources.get(exported.from)
  if (!source || declarationsOf(source).has(exported.original)) return exported
  const next = exportsOf(sources, exported.from).find(({ name }) => name === exported.original)
  return next ? { ...next, name: exported.name } : exported
}

function ownExports(source: ts.SourceFile, path: string, statement: ts.Statement): Exported[] {
  if (!/^export /.test(statement.getText(source).replace(/^\/\*[\s\S]*?\*\/\s*/, ''))) return []
  return [...declarationsOf(source)].flatMap(([name, { value, overloads, type }]) => {
    const nodes: (ts.Node | undefined)[] = [value, ...overloads, type]
    const isHere = nodes.some((node) => node && node.pos >= statement.pos && node.end <= statement.end)
    return isHere ? [{ name, from: path, original: name }] : []
  })
}

/** `'./log/tiles.ts'` from `verify/index.d.ts` is `verify/log/tiles.d.ts`. */
function resolve(path: string, specifier: string): string {
  const url = new URL(specifier.slice(1, -1), `file:///${path}`)
  return url.pathname.slice(1).replace(/\.[jt]s$/, '.d.ts')
}
