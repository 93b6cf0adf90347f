import assert from 'node:assert/strict'
import type { JsonSchema } from '../../contract/generators/json-schema.ts'

/** The schema of something as it is for one kind of post. */
type OfKind = { kind: string; schema: JsonSchema }

/**
 * One schema for the arguments of several kinds. A field that not all kinds take says which ones do. Where kinds differ,
 * the schema accepts what any of them accepts: the operation of the kind validates the arguments.
 */
export function mergeSchemas(variants: readonly OfKind[]): JsonSchema {
  const [first, ...others] = variants
  assert(first, 'a schema is of at least one kind')
  if (others.every(({ schema }) => isSame(schema, first.schema))) return first.schema
  if (variants.every(({ schema }) => schema['type'] === 'object')) return mergeObjects(variants)
  const options = variants.map(({ kind, schema }) => ({ kind, options: optionsOf(schema) }))
  if (options.every((one) => one.options.length === 2))
    return {
      ...mergeMembers(variants),
      anyOf: [0, 1].map((index) =>
        mergeSchemas(options.map((one) => ({ kind: one.kind, schema: one.options[index] ?? {} }))),
      ),
    }
  return mergeMembers(variants)
}

const optionsOf = ({ anyOf }: JsonSchema): JsonSchema[] => (Array.isArray(anyOf) ? anyOf : [])

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

function mergeObjects(variants: readonly OfKind[]): JsonSchema {
  const names = [...new Set(variants.flatMap(({ schema }) => Object.keys(propertiesOf(schema))))]
  const properties = names.map((name) => {
    const holders = variants.filter(({ schema }) => Object.hasOwn(propertiesOf(schema), name))
    const merged = mergeSchemas(holders.map(({ kind, schema }) => ({ kind, schema: propertiesOf(schema)[name] ?? {} })))
    const note = noteOn(name, holders, variants.length)
    const { description, ...rest } = merged
    const text = [note, description].filter(Boolean).join(' ')
    return [name, text ? { ...rest, description: text } : rest] as const
  })
  const required = names.filter((name) => variants.every(({ schema }) => isRequired(name, schema)))
  const { required: _, properties: __, ...members } = mergeMembers(variants)
  return { ...members, properties: Object.fromEntries(properties), ...(required.length > 0 && { required }) }
}

const propertiesOf = ({ properties }: JsonSchema) => (properties ?? {}) as Record<string, JsonSchema>

const isRequired = (name: string, { required }: JsonSchema) => Array.isArray(required) && required.includes(name)

/** Which kinds take the field and which require it; empty if all kinds treat it alike. */
function noteOn(name: string, holders: readonly OfKind[], kinds: number): string {
  const requiring = holders.filter(({ schema }) => isRequired(name, schema))
  if (requiring.length === kinds || (requiring.length === 0 && holders.length === kinds)) return ''
  if (requiring.length === 0) return `Only for ${listed(holders)}.`
  if (requiring.length === holders.length) return `Required for ${listed(holders)}.`
  return `Required for ${listed(requiring)}; optional for ${listed(holders.filter((one) => !requiring.includes(one)))}.`
}

const listed = (variants: readonly { kind: string }[]) => variants.map(({ kind }) => kind).join(', ')

/** The members that all have, as wide as the widest of them. Descriptions that differ name their kinds. */
function mergeMembers(variants: readonly OfKind[]): JsonSchema {
  const names = [...new Set(variants.flatMap(({ schema }) => Object.keys(schema)))]
  const members = names.map((name) => [name, mergeMember(name, variants)] as const)
  return Object.fromEntries(members.filter(([, value]) => value !== undefined))
}

function mergeMember(name: string, variants: readonly OfKind[]): unknown {
  const values = variants.map(({ schema }) => schema[name])
  if (values.every((value) => isSame(value, values[0]))) return values[0]
  if (name === 'description') return mergeDescriptions(variants)
  if (values.includes(undefined)) return undefined
  if (name === 'enum') return [...new Set(values.flat())]
  if (/^min/.test(name)) return Math.min(...values.map(Number))
  if (/^max/.test(name)) return Math.max(...values.map(Number))
  return undefined
}

function mergeDescriptions(variants: readonly OfKind[]): string {
  const texts = [...new Set(variants.map(({ schema }) => schema['description']))].filter(Boolean)
  return texts
    .map((text) => `${listed(variants.filter(({ schema }) => schema['description'] === text))}: ${text}`)
    .join(' ')
}
