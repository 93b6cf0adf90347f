import { readFileSync } from 'node:fs'

export const readText = (path: string): string => readFileSync(path, 'utf8')

export const readJson = <T>(path: string): T => JSON.parse(readText(path)) as T

export const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '')

export const readJsonLines = <T>(path: string): T[] => linesOf(readText(path)).map((line) => JSON.parse(line) as T)

/** The rows of a CSV file by the names in its first line. */
export function readCsv(path: string): Record<string, string>[] {
  const [names = [], ...rows] = parseCsv(readText(path).replace(/^\uFEFF/, ''))
  return rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index] ?? ''])))
}

/** Quoted values may contain commas, line breaks and doubled quotation marks. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  const value = /(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r\n|\n|\r|$)/gy
  while (value.lastIndex < text.length) {
    const match = value.exec(text)
    if (!match) throw new Error('The file is not valid CSV.')
    row.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '')
    if (match[3] === ',') continue
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
  }
  if (row.length > 0) rows.push(row)
  return rows
}
