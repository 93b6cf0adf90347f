import { joinsPrevious } from '../../kinds/presentation/excerpt.ts'
import { type Html, html } from '../../markup/html.ts'

/** In code points, from `start` (inclusive) to `end` (exclusive). */
export type Range = { start: number; end: number }

/** How many code points to show before the first mark. */
const leadPoints = 60

/** How many code points to drop at the end to avoid cutting a word. */
const longestWord = 40

/** The part of a text around its first mark, cut between words if possible, with all marks in it. */
export function snippet(text: string, ranges: readonly Range[], maxPoints: number): Html {
  // Replaces characters one for one, because marks are offsets. HTML collapses spaces and line breaks anyway.
  const points = Array.from(text.trimEnd(), (point) => (isSpace(point) ? ' ' : point))
  const { start, end } = windowOf(points, ranges[0]?.start ?? 0, maxPoints)
  const before = start > 0 ? '… ' : ''
  const after = end < points.length ? ' …' : ''
  return html`${before}!${marked(points, ranges, { start, end })}${after}`
}

/** The whole text with all matches marked. */
export const markedWhole = (text: string, ranges: readonly Range[]): Html => {
  const points = [...text]
  return marked(points, ranges, { start: 0, end: points.length })
}

/** Each piece is escaped separately, so its content stays text. */
function marked(points: readonly string[], ranges: readonly Range[], { start, end }: Range): Html {
  const pieces: Html[] = []
  let at = start
  for (const range of ranges) {
    const [from, to] = [Math.max(range.start, at), Math.min(range.end, end)]
    if (from >= to) continue
    pieces.push(html`${cut(points, at, from)}<mark>${cut(points, from, to)}</mark>`)
    at = to
  }
  pieces.push(html`${cut(points, at, end)}`)
  return pieces.join('')
}

const cut = (points: readonly string[], start: number, end: number) => points.slice(start, end).join('')

function windowOf(points: readonly string[], firstMark: number, maxPoints: number): Range {
  if (points.length <= maxPoints) return { start: 0, end: points.length }
  const wanted = Math.min(firstMark - leadPoints, points.length - maxPoints)
  const start = wanted <= 0 ? 0 : wordAfter(points, wanted, firstMark)
  const end = Math.min(start + maxPoints, points.length)
  return { start, end: end === points.length ? end : wordBefore(points, end, Math.max(firstMark, start) + 1) }
}

/**
 * The start of the next word, at `last` at the latest. In scripts without spaces: of the next letter with its marks.
 */
function wordAfter(points: readonly string[], from: number, last: number): number {
  for (let at = from; at < last; at++) if (isSpace(points[at - 1]) && !isSpace(points[at])) return at
  return letterAt(points, from)
}

/** The end of the last whole word, at `first` at the earliest. */
function wordBefore(points: readonly string[], to: number, first: number): number {
  const earliest = Math.max(first, to - longestWord)
  for (let at = to; at > earliest; at--) if (isSpace(points[at]) && !isSpace(points[at - 1])) return at
  return letterAt(points, to)
}

function letterAt(points: readonly string[], from: number): number {
  let at = from
  while (at > 0 && joinsPrevious.test(points[at] ?? '')) at--
  return at
}

const isSpace = (point = ' ') => /\s/.test(point)
