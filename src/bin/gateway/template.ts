import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

const folder = new URL('../../../deploy/nginx/', import.meta.url)

export type Values = Readonly<Record<string, string | number>>

/**
 * Fills the {{placeholders}} of a template in deploy/nginx. One that has a line for itself takes any number of lines,
 * or none. A name that only one side knows is an error.
 */
export function render(file: string, values: Values): string {
  const unused = new Set(Object.keys(values))
  const take = (name: string) => {
    assert(name in values, `${file} asks for {{${name}}}, which has no value.`)
    unused.delete(name)
    return String(values[name])
  }
  const text = readFileSync(new URL(`${file}.template`, folder), 'utf8')
    .replaceAll(/^( *)\{\{(\w+)\}\}\n/gm, (_, indent: string, name: string) => indented(take(name), indent))
    .replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => take(name))
  assert(unused.size === 0, `${file} does not use ${[...unused].join(', ')}.`)
  return text
}

/** A template that is part of another, many times over: its comments stay behind. */
export const renderPart = (name: string, values: Values = {}) =>
  render(`${name}.part`, values).replaceAll(/^ *#.*\n/gm, '')

const indented = (text: string, indent: string) =>
  text === '' ? '' : text.replace(/\n?$/, '\n').replaceAll(/^(?=.)/gm, indent)

export const lines = <T>(items: readonly T[], render: (item: T) => string) => items.map(render).join('\n')

const knownVariables = /\$(problem_base|request_id|allowed_methods|post_id)\b/g

/** A string of nginx's language, in which it fills in variables. It has no way to write a plain dollar sign there. */
export function quote(text: string): string {
  assert(!text.replaceAll(knownVariables, '').includes('$'), `nginx would read a variable in: ${text}`)
  return quotePlain(text)
}

/** One that nginx takes as it stands, such as a pattern. 4096 bytes are its limit. */
export function quotePlain(text: string): string {
  const quoted = `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  assert(Buffer.byteLength(quoted) < 4_000, `Too long for nginx: ${text}`)
  return quoted
}
