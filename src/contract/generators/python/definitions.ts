import { answersNothing, type Operation } from '../../define-operation.ts'
import { inputSchema, type JsonSchema, namedParts, outputSchema, schemaName } from '../json-schema.ts'
import { pascalCase } from './names.ts'
import { printPythonType } from './types.ts'

/** The operations of each site, by the site's kind of post. */
export type SiteOperations = ReadonlyMap<string, readonly Operation[]>

export const bodyName = ({ id, body }: Operation) => body && (schemaName(body) ?? `${pascalCase(id)}Body`)
export const queryName = ({ id, query }: Operation) => query && `${pascalCase(id)}Query`

/** The type of an answer, without that of a dry run. */
export const answerName = (operation: Operation): string =>
  answersNothing(operation) ? 'None' : (schemaName(operation.output) ?? `${pascalCase(operation.id)}Answer`)

const trialName = ({ id, trialAnswer }: Operation) =>
  trialAnswer && (schemaName(trialAnswer.output) ?? `${pascalCase(id)}Trial`)

/** The type that a call returns. */
export function returnType(operation: Operation): string {
  const trial = trialName(operation)
  return trial ? `Union[${answerName(operation)}, ${trial}]` : answerName(operation)
}

/** The name of a type on the site of one kind: another one if the type differs between the sites. */
export function nameOnSite(sites: SiteOperations, name: string, kind: string): string {
  return new Set(variantsOf(sites).get(name)?.values()).size > 1 ? `${pascalCase(kind)}${name}` : name
}

/** The type of the items of a list. */
export function itemType({ output }: Operation, listName: string): string {
  const list = outputSchema(output)
  const { data } = list['properties'] as Record<string, JsonSchema>
  return printPythonType(data?.['items'] as JsonSchema, `${listName}Item`)
}

/** Prints all types: classes first, then the aliases, which need them. */
export function printDefinitions(sites: SiteOperations): { classes: string[]; aliases: string[]; names: string[] } {
  const [classes, aliases, names]: [string[], string[], string[]] = [[], [], []]
  const define = (name: string, schema: JsonSchema) => {
    names.push(name)
    const type = printPythonType(schema, name, (definition) => classes.push(definition))
    if (type !== name) aliases.push(`${name} = ${type}`)
  }
  for (const [name, byKind] of variantsOf(sites)) {
    const [only, ...others] = new Set(byKind.values())
    if (others.length === 0) define(name, JSON.parse(String(only)))
    else {
      for (const [kind, schema] of byKind) define(`${pascalCase(kind)}${name}`, JSON.parse(schema))
      define(name, { anyOf: [...byKind.keys()].map((kind) => ({ component: `${pascalCase(kind)}${name}` })) })
    }
  }
  const defined = classes.map((text) => String(/^(?:class )?(\w+)/.exec(text)?.[1]))
  const twice = defined.find((name, index) => defined.indexOf(name) !== index)
  if (twice) throw new Error(`Two types for Python would have the name ${twice}.`)
  const inner = defined.filter((name) => !name.startsWith('_') && !names.includes(name))
  return { classes, aliases, names: [...names, ...inner].sort() }
}

const found = new WeakMap<SiteOperations, Map<string, Map<string, string>>>()

/** Each named schema as JSON, by kind. */
function variantsOf(sites: SiteOperations): Map<string, Map<string, string>> {
  const known = found.get(sites)
  if (known) return known
  const variants = new Map<string, Map<string, string>>()
  for (const [kind, operations] of sites)
    for (const [name, schema] of operations.flatMap(schemasOf))
      variants.set(name, (variants.get(name) ?? new Map()).set(kind, JSON.stringify(schema)))
  found.set(sites, variants)
  return variants
}

/** The schemas of an operation and the shared schemas inside them. */
function schemasOf(operation: Operation): [name: string, schema: JsonSchema][] {
  const { body, query, output, trialAnswer } = operation
  const schemas: [string | undefined, JsonSchema | undefined][] = [
    [bodyName(operation), body && inputSchema(body)],
    [queryName(operation), query && inputSchema(query)],
    [answerName(operation), answersNothing(operation) ? undefined : outputSchema(output)],
    [trialName(operation), trialAnswer && outputSchema(trialAnswer.output)],
  ]
  return schemas.flatMap(([name, schema]) => {
    if (!name || !schema) return []
    const own: [string, JsonSchema][] = schema['component'] ? [] : [[name, schema]]
    return [...namedParts(schema), ...own]
  })
}
