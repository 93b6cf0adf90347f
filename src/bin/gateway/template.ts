import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

const folder = new URL('../../../deploy/nginx/', import.meta.url)

export type Values = Readonly<Record<string, string | number>>

/**
 * Fills the {{placeholders}} of a template in deploy/nginx. A placeholder on its own line takes any number of lines. An
 * unknown or unused name is an error.
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

/** A template that is included several times: its comments are removed. */
export const renderPart = (name: string, values: Values = {}) =>
  render(`${name}.part`, values).replaceAll(/^ *#.*\n/gm, '')

const indented = (text: string, indent: string) =>
  text === '' ? '' : text.replace(/\n?$/, '\n').replaceAll(/^(?=.)/gm, indent)

export const lines = <T>(items: readonly T[], render: (item: T) => string) => items.map(render).join('\n')

const knownVariables = /\$(problem_base|request_id|allowed_methods|post_id)\b/g

/** A string in nginx configuration, where nginx expands variables. It cannot contain a plain dollar sign. */
export function quote(text: string): string {
  assert(!text.replaceAll(knownVariables, '').includes('$'), `nginx would read a variable in: ${text}`)
  return quotePlain(text)
}

/** A string that nginx takes literally, such as a pattern. The limit is 4096 bytes. */
export function quotePlain(text: string): string {
  const quoted = `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  assert(Buffer.byteLength(quoted) < 4_000, `Too long for nginx: ${text}`)
  return quoted
}
