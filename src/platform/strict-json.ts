/**
 * JSON that means one thing to every reader: nothing before or after it, no mark of the byte order, and no member
 * twice, of which some readers take the first and some the last. Throws without saying where; the text is a stranger's.
 */
export function parseStrictJson(text: string): unknown {
  const value = parse(text)
  if (repeatsAMember(text)) throw new SyntaxError('a member of the JSON stands twice')
  return value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's own message quotes the text.
    throw new SyntaxError('the text is not JSON')
  }
}

/** In JSON, a string with a colon after it is the name of a member, and belongs to the object that was opened last. */
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
