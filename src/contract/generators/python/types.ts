import type { JsonSchema } from '../json-schema.ts'
import { docstring, isPythonName, pascalCase, pythonValue } from './names.ts'

/** Prints a class or an alias that a type needs beside itself. */
type Emit = (definition: string) => void

/**
 * Prints a Python type for the subset of JSON Schema that our contract uses, and throws for any other schema. An object
 * inside becomes a class, which `emit` receives; `name` is its name.
 */
export function printPythonType(schema: JsonSchema, name: string, emit: Emit = () => {}): string {
  if (typeof schema['component'] === 'string') return schema['component']
  if ('const' in schema) return schema['const'] === null ? 'None' : `Literal[${pythonValue(schema['const'])}]`
  if (Array.isArray(schema['enum'])) return `Literal[${schema['enum'].map(pythonValue).join(', ')}]`
  const options = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(options)) return union(options.map((option) => printPythonType(option, name, emit)))
  const types = schema['type']
  if (Array.isArray(types)) return union(types.map((type) => printPythonType({ ...schema, type }, name, emit)))
  switch (types) {
    case 'string':
      return 'str'
    case 'boolean':
      return 'bool'
    case 'null':
      return 'None'
    case 'integer':
      return 'int'
    case 'number':
      return 'float'
    case 'array':
      return `list[${printPythonType(schema['items'] as JsonSchema, `${name.replace(/Data$/, '')}Item`, emit)}]`
    case 'object':
      return printObject(schema, name, emit)
    default:
      if (Object.keys(schema).every((member) => member === 'description')) return 'Any'
      throw new Error(`The Python generator does not support the schema ${JSON.stringify(schema).slice(0, 200)}`)
  }
}

function union(types: readonly string[]): string {
  const [others, isOptional] = [[...new Set(types)].filter((type) => type !== 'None'), types.includes('None')]
  const joined = others.length > 1 ? `Union[${others.join(', ')}]` : String(others[0] ?? 'None')
  return isOptional && others.length > 0 ? `Optional[${joined}]` : joined
}

type Field = { name: string; type: string; description: string | undefined }

/** Emits a TypedDict. Python 3.9 marks optional keys only by class, so a dictionary with both has two. */
function printObject(schema: JsonSchema, name: string, emit: Emit): string {
  const required = new Set((schema['required'] as string[] | undefined) ?? [])
  const properties = Object.entries((schema['properties'] as Record<string, JsonSchema> | undefined) ?? {})
  if (properties.length === 0) {
    const values = schema['additionalProperties']
    return `dict[str, ${typeof values === 'object' ? printPythonType(values as JsonSchema, `${name}Value`, emit) : 'Any'}]`
  }
  const fields = properties.map(([field, property]) => ({
    name: field,
    type: printPythonType(property, `${name}${pascalCase(field)}`, emit),
    description: property['description'] as string | undefined,
  }))
  const needed = fields.filter((field) => required.has(field.name))
  const possible = fields.filter((field) => !required.has(field.name))
  const text = schema['description'] as string | undefined
  if (needed.length === 0 || possible.length === 0)
    emit(printTypedDict(name, fields, { isTotal: possible.length === 0, text }))
  else if (possible.every((field) => isPythonName(field.name))) {
    emit(printTypedDict(`_${name}Required`, needed, { isTotal: true }))
    emit(printTypedDict(name, possible, { isTotal: false, base: `_${name}Required`, text }))
  } else {
    emit(printTypedDict(`_${name}Required`, needed, { isTotal: true }))
    emit(printTypedDict(`_${name}Optional`, possible, { isTotal: false }))
    emit(`class ${name}(_${name}Required, _${name}Optional):\n${docstring(text ?? 'A dictionary.', '    ')}`)
  }
  return name
}

type Form = { isTotal: boolean; base?: string; text?: string | undefined }

function printTypedDict(name: string, fields: readonly Field[], { isTotal, base = 'TypedDict', text }: Form): string {
  if (!fields.every((field) => isPythonName(field.name))) {
    const items = fields.map((field) => `        ${pythonValue(field.name)}: ${pythonValue(field.type)},`)
    return `${name} = TypedDict(\n    "${name}",\n    {\n${items.join('\n')}\n    },\n${isTotal ? '' : '    total=False,\n'})`
  }
  const members = fields.map(
    ({ name: field, type, description }) =>
      `    ${field}: ${type}${description ? `\n${docstring(description, '    ')}` : ''}`,
  )
  const head = `class ${name}(${base}${isTotal ? '' : ', total=False'}):`
  return [head, ...(text ? [`${docstring(text, '    ')}\n`] : []), ...members].join('\n')
}
