/**
 * Parses JSON that means the same to every parser: nothing before or after it, no byte order mark, and no duplicate
 * fields, of which some parsers use the first and some the last. Errors contain no position and no text, because the
 * text is untrusted.
 */
export function parseStrictJson(text: string): unknown {
  const value = parse(text)
  if (repeatsAMember(text)) throw new SyntaxError('the JSON has a duplicate field')
  return value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's message quotes the text.
    throw new SyntaxError('the text is not valid JSON')
  }
}

/** In JSON, a string followed by a colon is a field name in the innermost open object. */
const membersAndBraces = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}]/g

function repeatsAMember(json: string): boolean {
  const open: Set<string>[] = []
  for (const [token, text, colon] of json.matchAll(membersAndBraces)) {
    if (token === '{') open.push(new Set())
    else if (token === '}') open.pop()
    else if (text && colon) {
      const names = open.at(-1)
      const name = JSON.parse(text) as string
      if (names?.has(name)) return true
      names?.add(name)
    }
  }
  return false
}
