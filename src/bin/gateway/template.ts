import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

const folder = new URL('../../../deploy/nginx/', import.meta.url)

export type Values = Readonly<Record<string, string | number>>

/**
 * Fills the {{placeholders}} of a template in deploy/nginx. A placeholder on a line by itself can expand to any number
 * of lines. Fails if a placeholder has no value or a value is not used.
 */
export function render(file: string, values: Values): string {
  const unused = new Set(Object.keys(values))
  const take = (name: string) => {
    assert(name in values, `${file} uses {{${name}}}, which has no value.`)
    unused.delete(name)
    return String(values[name])
  }
  const text = readFileSync(new URL(`${file}.template`, folder), 'utf8')
    .replaceAll(/^( *)\{\{(\w+)\}\}\n/gm, (_, indent: string, name: string) => indented(take(name), indent))
    .replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => take(name))
  assert(unused.size === 0, `${file} does not use ${[...unused].join(', ')}.`)
  return text
}

/** Renders a template that is included several times, without its comments. */
export const renderPart = (name: string, values: Values = {}) =>
  render(`${name}.part`, values).replaceAll(/^ *#.*\n/gm, '')

const indented = (text: string, indent: string) =>
  text === '' ? '' : text.replace(/\n?$/, '\n').replaceAll(/^(?=.)/gm, indent)

export const lines = <T>(items: readonly T[], render: (item: T) => string) => items.map(render).join('\n')

const knownVariables = /\$(problem_base|request_id|allowed_methods|post_id)\b/g

/** Quotes a string in which nginx expands variables. A dollar sign is allowed only in `knownVariables`. */
export function quote(text: string): string {
  assert(!text.replaceAll(knownVariables, '').includes('$'), `nginx would expand a variable in: ${text}`)
  return quotePlain(text)
}

/** Quotes a string that nginx reads literally, such as a pattern. nginx allows up to 4,096 bytes. */
export function quotePlain(text: string): string {
  const quoted = `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  assert(Buffer.byteLength(quoted) < 4_000, `Too long for nginx: ${text}`)
  return quoted
}
