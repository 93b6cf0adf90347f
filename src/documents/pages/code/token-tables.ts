/** The classes of tokens that the style sheet colours. */
export type TokenClass = 'comment' | 'string' | 'number' | 'keyword' | 'name'

/** The tokens of a language, in the order in which they are tried. Everything else stays plain. */
export type TokenTable = readonly (readonly [TokenClass, RegExp])[]

const number = /\b\d[\d_]*(?:\.\d+)?\b/
const doubleQuoted = /"(?:[^"\\\n]|\\.)*"/
const singleQuoted = /'(?:[^'\\\n]|\\.)*'/
const call = /\b[A-Za-z_]\w*(?=\()/
const words = (list: string) => new RegExp(`\\b(?:${list.replaceAll(' ', '|')})\\b`)

const json: TokenTable = [
  ['name', /"(?:[^"\\\n]|\\.)*"(?=\s*:)/],
  ['string', doubleQuoted],
  ['keyword', words('true false null')],
  ['number', /-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b/],
]

/** A text in single quotes may have several lines: the body of a request. `'\\''` is a single quote in it. */
const shell: TokenTable = [
  ['comment', /(?<=^|\s)#.*/],
  ['string', /(?<=<<'(?<end>\w+)'\n)[\s\S]*?(?=\n\k<end>$)/],
  ['string', /'(?:[^']|'\\'')*'|"(?:[^"\\]|\\.)*"/],
  ['name', /\$\w+/],
  ['keyword', /(?<=^|[|&;] )(?:broadside|cat|claude|codex|curl|export|npm|npx|pip|python)\b/],
  ['name', /(?<=\s)--?[A-Za-z][\w-]*/],
]

const typescript: TokenTable = [
  ['comment', /\/\/.*|\/\*[\s\S]*?\*\//],
  ['string', /`(?:[^`\\]|\\[\s\S])*`/],
  ['string', singleQuoted],
  ['string', doubleQuoted],
  [
    'keyword',
    words(
      'as async await catch const else export false for from function if import in let new null of return throw true try type typeof undefined while',
    ),
  ],
  ['name', call],
  ['number', number],
]

const python: TokenTable = [
  ['comment', /#.*/],
  ['string', /(?:\b[bfr]{1,2})?(?:"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')/],
  [
    'keyword',
    words(
      'and as assert async await class def elif else except False for from if import in is lambda None not or raise return True try while with',
    ),
  ],
  ['name', call],
  ['number', number],
]

const go: TokenTable = [
  ['comment', /\/\/.*/],
  ['string', /`[^`]*`/],
  ['string', doubleQuoted],
  ['keyword', words('const else false for func if import nil package range return true type var')],
  ['name', call],
  ['number', number],
]

const ruby: TokenTable = [
  ['comment', /#(?!\{).*/],
  ['string', singleQuoted],
  ['string', doubleQuoted],
  ['keyword', words('and begin def do else elsif end false if module nil not or require rescue return true unless')],
  ['name', /\b[a-z_]\w*[?!]?(?=\()/],
  ['number', number],
]

const http: TokenTable = [
  ['keyword', /^(?:DELETE|GET|PATCH|POST|PUT)\b|^HTTP\/[\d.]+/],
  ['name', /^[A-Za-z][\w-]*(?=: )/],
  ['string', doubleQuoted],
  ['number', number],
]

const toml: TokenTable = [
  ['keyword', /^\[.*\]$/],
  ['name', /^[\w.-]+(?= =)/],
  ['string', doubleQuoted],
]

/** By the word after the fence. */
export const tokenTables: Readonly<Record<string, TokenTable>> = {
  ...{ json, sh: shell, ts: typescript, js: typescript, python, go, ruby, http, toml },
}
