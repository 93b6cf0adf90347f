/** One text in a source file: a string or template that people read, a comment, or the name of a test. */
export type SourceText = { line: number; kind: 'string' | 'comment' | 'test name'; text: string }

/**
 * Finds the strings, templates and comments in a TypeScript file. It does not parse the file: it reads the characters
 * one by one and tracks which are code, which is enough for formatted source.
 */
export function readTexts(source: string): SourceText[] {
  const texts: SourceText[] = []
  let at = 0
  let line = 1
  const startsWith = (part: string) => source.startsWith(part, at)
  const advance = (count = 1) => {
    for (let step = 0; step < count; step++) if (source[at++] === '\n') line++
  }
  const readUntil = (end: string): string => {
    const start = at
    while (at < source.length && !startsWith(end)) advance()
    const text = source.slice(start, at)
    advance(end.length)
    return text
  }
  const readQuoted = (quote: string): string => {
    let text = ''
    advance()
    while (at < source.length && source[at] !== quote) {
      if (source[at] === '\\') advance()
      text += source[at]
      advance()
    }
    advance()
    return text
  }
  /** `${…}` contains code: the strings in it are found separately, and it is printed as “…”. */
  const readTemplate = (): string => {
    let text = ''
    advance()
    while (at < source.length && source[at] !== '`') {
      if (startsWith('${')) {
        advance(2)
        readCode('}')
        text += '…'
      } else {
        if (source[at] === '\\') advance()
        text += source[at]
        advance()
      }
    }
    advance()
    return text
  }
  const readRegex = () => {
    let isInClass = false
    advance()
    while (at < source.length && (source[at] !== '/' || isInClass)) {
      if (source[at] === '\\') advance()
      else if (source[at] === '[') isInClass = true
      else if (source[at] === ']') isInClass = false
      advance()
    }
    advance()
  }
  const readCode = (end?: string) => {
    let depth = 0
    while (at < source.length) {
      const char = source[at] as string
      const begin = { line, before: source.slice(Math.max(0, at - 40), at) }
      if (end && char === end && depth === 0) return advance()
      if (char === '{') depth++
      if (char === '}') depth--
      if (startsWith('//')) texts.push({ line, kind: 'comment', text: readUntil('\n').slice(2).trim() })
      else if (startsWith('/*')) {
        const text = readUntil('*/').replace(/^\/\*+|\n\s*\*/g, ' ')
        texts.push({ line: begin.line, kind: 'comment', text: text.replace(/\s+/g, ' ').trim() })
      } else if (char === "'" || char === '"' || char === '`') {
        const text = char === '`' ? readTemplate() : readQuoted(char)
        texts.push({ line: begin.line, kind: /\btest\($/.test(begin.before) ? 'test name' : 'string', text })
      } else if (char === '/' && /(?:[(,=:[!&|?{};\n]|=>|\breturn)\s*$/.test(begin.before)) readRegex()
      else advance()
    }
  }
  readCode()
  return texts
}

/** The sentences in a string: the text between markup tags, if it contains several words. */
export function sentencesIn(text: string): string[] {
  if (
    /^\s*(?:select|insert|update|delete|with|create|alter|drop|grant|revoke|set|lock|notify|listen|truncate)\b/i.test(
      text,
    )
  )
    return []
  return text
    .split(/<[^<>]*>|\n\s*\n/)
    .map((part) => part.replace(/\s+/g, ' ').trim())
    .filter(
      (part) => /\p{L}{2,}[,;:]? \S*\p{L}{2,}/u.test(part) && !/[{};]\s*$|^[\w-]+: [\w-]+$|=>|\bvar\(--/.test(part),
    )
}
