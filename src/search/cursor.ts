import { type PagePosition, readCursor, writeCursor } from '../posts/public/cursor.ts'

/** The position of a page sorted by relevance. Scores depend on the time, so the cursor includes it. */
export type RankedPlace = { at: Date; score: number; id: string }

export type Sort = 'relevance' | 'newest'

const prefix = 'r.'

export function writeRankedCursor({ at, score, id }: RankedPlace): string {
  return `${prefix}${Buffer.from(`${at.getTime()}.${exact(score)}.${id}`).toString('base64url')}`
}

/** As bits: a decimal would have to be formatted and parsed identically here and in PostgreSQL, to the last digit. */
function exact(score: number): string {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(score)
  return bytes.toString('hex')
}

export function readRankedCursor(text: string): RankedPlace | null {
  if (!text.startsWith(prefix)) return null
  const plain = Buffer.from(text.slice(prefix.length), 'base64url').toString('latin1')
  const match = /^(\d{1,15})\.([0-9a-f]{16})\.(post_[0-7][0-9a-hjkmnp-tv-z]{25})$/.exec(plain)
  const score = match?.[2] ? Buffer.from(match[2], 'hex').readDoubleBE() : Number.NaN
  return match && Number.isFinite(score) ? { at: new Date(Number(match[1])), score, id: String(match[3]) } : null
}

export const readNewestCursor = (text: string): PagePosition | null =>
  text.startsWith(prefix) ? null : readCursor(text)
export const writeNewestCursor = writeCursor

/** A cursor is valid only for the order that it was created with. */
export const isCursorOf = (sort: Sort, text: string): boolean =>
  (sort === 'newest' ? readNewestCursor(text) : readRankedCursor(text)) !== null
