import { z } from 'zod'

/** The last item of a page as an opaque string. New posts appear before it, so later pages do not shift. */
export type PagePosition = { publishedAt: Date; id: string }

export const writeCursor = ({ publishedAt, id }: PagePosition): string =>
  Buffer.from(`${publishedAt.getTime()}.${id}`).toString('base64url')

export const cursor = z
  .string()
  .max(100)
  .refine((text) => readCursor(text) !== null, 'must be the next_cursor from an earlier response')
  .meta({ description: 'The next_cursor from the previous page. Keep the other parameters unchanged.' })

export function readCursor(text: string): PagePosition | null {
  const match = /^(\d{1,15})\.(post_[0-7][0-9a-hjkmnp-tv-z]{25})$/.exec(
    Buffer.from(text, 'base64url').toString('latin1'),
  )
  return match ? { publishedAt: new Date(Number(match[1])), id: String(match[2]) } : null
}
