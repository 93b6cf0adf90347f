import { type ProblemCode, problems } from '../../contract/problems/problems.ts'

/** A Markdown table. A line break in a cell becomes a space. */
export function markdownTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  return tableRows([headings, headings.map(() => '---'), ...rows])
}

/** Rows for a table whose other rows are in the text. */
export const tableRows = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `| ${cells.map(cellOf).join(' | ')} |`).join('\n')

const cellOf = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ')

/** `GET /v1/posts/{id}`, `Retry-After`, `dry_run=true`, `account_url`. */
const codeWords =
  /(`[^`]*`|\[[^\]]*\]\([^)]*\))|\b(?:(?:GET|POST|PUT|PATCH|DELETE) \/[\w/{}]+|[A-Z]\w*(?:-[A-Z]\w+)+|[a-z]+(?:_[a-z]+)+(?:=\w+)?)\b\}?/g

/** The text with names of calls, headers and fields as code. What is code or a link already stays as it is. */
export const markCode = (text: string): string =>
  text.replaceAll(codeWords, (found, done?: string) => (done === undefined ? `\`${found}\`` : found))

export const codeFence = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``

export const jsonFence = (value: unknown): string => codeFence('json', JSON.stringify(value, null, 2))

/** `402 insufficient_balance`, as a Markdown link to its page. */
export const problemLink = (code: ProblemCode): string => `${problems[code].status} [${code}](/problems/${code})`
