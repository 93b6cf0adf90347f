import { type Html, html } from '../../../markup/html.ts'
import { type TokenTable, tokenTables } from './token-tables.ts'

/**
 * The code with its tokens in `span` elements. The escaping template escapes every piece, so code cannot become markup,
 * and without the elements the text is unchanged. Code in an unknown language stays plain.
 */
export function highlight(text: string, language: string): Html {
  const known = tokenTables[language]
  return known ? tokensOf(text, known).join('') : html`${text}`
}

function tokensOf(text: string, language: TokenTable): Html[] {
  const pieces: Html[] = []
  let end = 0
  for (const match of text.matchAll(patternOf(language))) {
    const group = Object.entries(match.groups ?? {}).find(([name, found]) => /^t\d/.test(name) && found !== undefined)
    const [token] = language[Number(group?.[0].slice(1))] ?? []
    if (!token || match[0] === '') continue
    pieces.push(html`${text.slice(end, match.index)}`)
    if (isJson(match[0], language)) pieces.push(...tokensOf(match[0], json))
    else pieces.push(html`<span class="${token}">${match[0]}</span>`)
    end = match.index + match[0].length
  }
  return [...pieces, html`${text.slice(end)}`]
}

const { sh: shell = [], json = [] } = tokenTables

/** Whether the text is JSON in a command: the body of a request, or a file that the command writes. */
const isJson = (text: string, language: TokenTable): boolean => language === shell && /^'?[{[]/.test(text)

/** One pattern for the whole language, with a named group for each kind of token. */
function patternOf(language: TokenTable): RegExp {
  const known = patterns.get(language)
  if (known) return known
  const pattern = new RegExp(language.map(([, { source }], index) => `(?<t${index}>${source})`).join('|'), 'gm')
  patterns.set(language, pattern)
  return pattern
}

const patterns = new Map<TokenTable, RegExp>()
