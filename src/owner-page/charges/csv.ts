/**
 * One line of CSV (RFC 4180). Spreadsheets run a cell that starts with one of these characters as a formula, and names
 * and titles are other people's text, so such a cell starts with an apostrophe. Numbers stay numbers.
 */
export const csvLine = (cells: readonly (string | number | null)[]): string => `${cells.map(cell).join(',')}\r\n`

function cell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r\n＝＋－＠]/u.test(value) && !/^-?\d+(?:\.\d+)?$/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
