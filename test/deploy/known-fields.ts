import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repoDir } from '../../tooling/services/state.ts'

const packages = join(repoDir, 'node_modules')

/**
 * The fields of a manifest that its kind does not have. Kubernetes ignores them without a word, and so do the schemas;
 * the declarations of the same package list every field.
 */
export function unknownFields(manifest: { apiVersion: string; kind: string }): string[] {
  const file = join(packages, 'kubernetes-models', manifest.apiVersion, `${manifest.kind}.d.ts`)
  return unknownIn(manifest, file, manifest.kind)
}

function unknownIn(value: unknown, file: string, at: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => unknownIn(item, file, `${at}[${index}]`))
  const fields = fieldsOf(file)
  if (!fields || typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    if (!fields.has(name)) return [`${at}.${name}`]
    const declared = fields.get(name)
    return declared ? unknownIn(inner, declared, `${at}.${name}`) : []
  })
}

/** By name of a field: the file that declares its type, or null if it is a plain value or a map. */
function fieldsOf(file: string): Map<string, string | null> | null {
  if (!existsSync(file)) return null
  const text = readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '')
  const body = /^export interface \w+[^{]*\{\n([\s\S]*?)^\}/m.exec(text)?.[1]
  if (body === undefined) return null
  const files = new Map(
    [...text.matchAll(/^import \{ (\w+) \} from "(.+)";/gm)].map(([, name = '', from = '']) => [
      name,
      resolved(file, from),
    ]),
  )
  const fields = [...body.matchAll(/^ {4}"([^"]+)"\??: (.*)$/gm)]
  return new Map(
    fields.map(([, name = '', type = '']) => [name, files.get(/\w+(?=>?;$)/.exec(type)?.[0] ?? '') ?? null]),
  )
}

const resolved = (file: string, from: string) =>
  from.startsWith('.') ? join(dirname(file), from.replace(/\.js$/, '.d.ts')) : join(packages, `${from}.d.ts`)
