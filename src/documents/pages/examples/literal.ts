import { EnvironmentVariable } from './example-call.ts'

/** How a language writes the values of JSON. */
export type LiteralStyle = {
  indent: string
  /** Between an opening brace and the content on the same line. */
  space: string
  text: (text: string) => string
  key: (name: string) => string
  constants: Readonly<Record<'true' | 'false' | 'null', string>>
  variable: (name: string) => string
}

/** The longest object or array that stays on one line. */
const lineLength = 60

/** A value as the language writes it. `depth` is the indentation of the line on which it starts. */
export function literal(value: unknown, style: LiteralStyle, depth = 0): string {
  if (value instanceof EnvironmentVariable) return style.variable(value.name)
  if (typeof value === 'string') return style.text(value)
  if (typeof value === 'number') return String(value)
  if (value === null || typeof value === 'boolean') return style.constants[`${value}`]
  const isList = Array.isArray(value)
  const items = isList
    ? value.map((item) => literal(item, style, depth + 1))
    : Object.entries(value as object).map(
        ([name, member]) => `${style.key(name)}: ${literal(member, style, depth + 1)}`,
      )
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  if (items.length === 0) return open + close
  const space = isList ? '' : style.space
  const line = `${open}${space}${items.join(', ')}${space}${close}`
  if (line.length <= lineLength && !line.includes('\n')) return line
  const inner = style.indent.repeat(depth + 1)
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${style.indent.repeat(depth)}${close}`
}
