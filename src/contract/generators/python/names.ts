/** Words that Python does not allow as names. */
const keywords = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global ' +
    'if import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
)

/** Whether a name can stand alone in Python, so that it needs no quotes. */
export const isPythonName = (name: string): boolean => /^[A-Za-z_]\w*$/.test(name) && !keywords.has(name)

/** `waitForDecision` as `wait_for_decision`. */
export const snakeCase = (name: string): string =>
  name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase()

/** `post_not_found` or `postNotFound` as `PostNotFound`. */
export const pascalCase = (name: string): string =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

/** A value of JSON as Python writes it. */
export function pythonValue(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return JSON.stringify(value)
}

const lineLength = 110

/** A docstring with its indent, wrapped. */
export function docstring(text: string, indent: string): string {
  const safe = text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"').replace(/"$/, '\\"')
  const paragraphs = safe.split(/\n\n+/).map((paragraph) => wrap(paragraph.replaceAll(/\s+/g, ' '), indent))
  const [first = '', ...rest] = paragraphs
  if (rest.length === 0 && !first.includes('\n')) return `${indent}"""${first}"""`
  return [`${indent}"""${first}`, ...rest.map((paragraph) => `\n${indent}${paragraph}`), `${indent}"""`].join('\n')
}

function wrap(paragraph: string, indent: string): string {
  const lines: string[] = []
  for (const word of paragraph.split(' ')) {
    const line = lines.at(-1)
    if (line !== undefined && indent.length + line.length + word.length < lineLength)
      lines.push(`${lines.pop()} ${word}`)
    else lines.push(word)
  }
  return lines.join(`\n${indent}`)
}
