/**
 * The statements of an SQL text, without their comments. Semicolons in strings, quoted names and dollar-quoted bodies
 * do not end a statement.
 */
export function splitStatements(text: string): string[] {
  const statements: string[] = []
  let current = ''
  const end = () => {
    if (current.trim() !== '') statements.push(current.trim())
    current = ''
  }
  for (const [token] of text.matchAll(tokens)) {
    if (token === ';') end()
    else current += isComment(token) ? ' ' : token
  }
  end()
  return statements
}

/** In this order: comments, strings with backslash escapes, plain strings, quoted names, dollar quotes, anything else. */
const tokens = new RegExp(
  [
    String.raw`--[^\n]*`,
    String.raw`\/\*[\s\S]*?\*\/`,
    String.raw`\b[eE]'(?:\\[\s\S]|''|[^'\\])*'`,
    `'(?:''|[^'])*'`,
    `"(?:""|[^"])*"`,
    String.raw`(?<![\w$])(\$(?:[A-Za-z_]\w*)?\$)[\s\S]*?\1`,
    String.raw`[\w$]+`,
    String.raw`[\s\S]`,
  ].join('|'),
  'g',
)

const isComment = (token: string) => token.startsWith('--') || token.startsWith('/*')
