import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

const migrationsFolder = new URL('../../../migrations/', import.meta.url)

export type Migration = {
  version: number
  name: string
  sql: string
  checksum: string
  /** `before`: applied before the new program is deployed. `after`: applied when no older program runs any more. */
  phase: 'before' | 'after'
  /** The schema number of the oldest program that works after this migration. */
  worksWith: number
  /** False for statements that PostgreSQL does not allow in a transaction, such as `create index concurrently`. */
  isTransaction: boolean
}

export async function readMigrations(folder = migrationsFolder): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => /^\d{4}_[a-z0-9_]+\.sql$/.test(file)).sort()
  return Promise.all(files.map(async (file) => parseMigration(file, await readFile(new URL(file, folder), 'utf8'))))
}

/** Reads a migration's number and name from its file name, and its properties from the comments at its top. */
export function parseMigration(file: string, sql: string): Migration {
  const version = Number(file.slice(0, 4))
  const header = readHeader(file, sql)
  return {
    version,
    name: file.slice(5, -4),
    sql,
    checksum: createHash('sha256').update(sql).digest('hex'),
    phase: header.phase === 'after' ? 'after' : 'before',
    worksWith: header['works with'] === undefined ? version : Number(header['works with']),
    isTransaction: header.transaction !== 'none',
  }
}

const properties = { 'works with': /^\d{4}$/, phase: /^(?:before|after)$/, transaction: /^none$/ }
type Header = Partial<Record<keyof typeof properties, string>>

/** The lines `-- name: value` before the first other line. */
function readHeader(file: string, sql: string): Header {
  const header: Header = {}
  for (const line of sql.split('\n')) {
    const [, name = '', value = ''] = /^-- (works with|phase|transaction): (.*)$/.exec(line) ?? []
    if (!name) break
    if (!properties[name as keyof Header].test(value.trim()))
      throw new Error(
        `${file}: "${line}" is invalid. Write -- works with: NNNN, -- phase: after or -- transaction: none.`,
      )
    header[name as keyof Header] = value.trim()
  }
  return header
}

/** `0041_applied_migrations`. */
export const fullName = ({ version, name }: Pick<Migration, 'version' | 'name'>) =>
  `${String(version).padStart(4, '0')}_${name}`
