import { lettersOf } from './prepare-text.ts'
import { breakLines, cutLine, piecesOf, splitWide, type TextPiece } from './text-pieces.ts'

/** How large a text is in one size: its width, and how far it reaches above and below its baseline. */
export type Extent = { width: number; ascent: number; descent: number }
export type Ruler = (text: string, size: number) => Extent

/** `baseline`: the distance from the top of the block. */
export type SetLine = { text: string; size: number; baseline: number }
export type SetText = { lines: SetLine[]; height: number }

type Room = { width: number; height: number; largest: number; smallest: number }

/**
 * Sets a text as large as the room allows. A short one is set like a poster in wood type: each line has its own size,
 * so that it fills the width.
 */
export function fitText(text: string, room: Room, ruler: Ruler): SetText {
  const measure = (part: string) => ruler(part, unit).width / unit
  const pieces = piecesOf(text).map((piece) => ({ text: piece, width: measure(piece) }))
  const poster = lettersOf(text).length <= mostPosterLetters ? setPoster(pieces, room, ruler) : undefined
  return poster ?? setParagraph(pieces, room, { ruler, measure })
}

/** Widths are measured once, in this size, and grow with the size. */
const unit = 100
const mostPosterLetters = 70
const mostPosterLines = 5
/** Lines of very different sizes look like an accident. */
const mostContrast = 1.7
/** The distance between the ink of two lines, as a share of the size. */
const posterGap = 0.16

/** Undefined if a word is too long for a poster. */
function setPoster(pieces: readonly TextPiece[], room: Room, ruler: Ruler): SetText | undefined {
  const whole = pieces.reduce((sum, { width }) => sum + width, 0)
  const widest = Math.max(...pieces.map(({ width }) => width))
  const settings: SetText[] = []
  for (let count = 1; count <= mostPosterLines; count++) {
    const lines = breakEvenly(pieces, { least: widest, most: whole, count })
    if (lines.length !== count) continue
    const sizes = lines.map(({ width }) => Math.min(room.largest, room.width / width))
    const smallest = Math.min(...sizes)
    const limited = sizes.map((size) => Math.min(size, smallest * mostContrast))
    const set = shrinkToFit(lines, limited, { room, ruler })
    if (set) settings.push(set)
  }
  const least = ({ lines }: SetText) => Math.min(...lines.map(({ size }) => size))
  const best = settings.sort((one, other) => least(other) - least(one))[0]
  return best && least(best) >= leastPosterSize ? best : undefined
}

const leastPosterSize = 64

/** The narrowest setting with at most this many lines: its lines have about the same width, and no word is alone. */
function breakEvenly(
  pieces: readonly TextPiece[],
  { least, most, count }: { least: number; most: number; count: number },
) {
  let [low, high] = [least, most]
  for (let step = 0; step < 12; step++) {
    const middle = (low + high) / 2
    if (breakLines(pieces, middle).length <= count) high = middle
    else low = middle
  }
  return breakLines(pieces, high * 1.0001)
}

function shrinkToFit(
  lines: readonly TextPiece[],
  sizes: readonly number[],
  { room, ruler }: { room: Room; ruler: Ruler },
) {
  for (let share = 1; share > 0.1; share *= 0.94) {
    const set = stack(
      lines.map(({ text }, index) => ({ text, size: Math.floor((sizes[index] ?? 0) * share) })),
      ruler,
      (above, below) => posterGap * Math.min(above, below),
    )
    if (set.height <= room.height && set.width <= room.width) return set
  }
  return undefined
}

/** One size for all lines, at the usual distance unless a letter is taller. */
function setParagraph(
  pieces: readonly TextPiece[],
  room: Room,
  { ruler, measure }: { ruler: Ruler; measure: (text: string) => number },
): SetText {
  const at = (size: number) => {
    const fitting = splitWide(pieces, room.width / size, measure)
    const count = breakLines(fitting, room.width / size).length
    const least = Math.max(...fitting.map(({ width }) => width))
    const lines = breakEvenly(fitting, { least, most: room.width / size, count })
    return stack(
      lines.map(({ text }) => ({ text, size })),
      ruler,
    )
  }
  let [low, high] = [room.smallest, room.largest]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const set = at(middle)
    if (set.height <= room.height && set.width <= room.width) low = middle
    else high = middle - 1
  }
  return cutToFit(at(low), room, ruler)
}

/** Drops the lines for which even the smallest size has no room, and shows that something is missing. */
function cutToFit(set: SetText, room: Room, ruler: Ruler): SetText {
  const size = set.lines[0]?.size ?? room.smallest
  const width = (text: string) => ruler(text, size).width
  for (let count = set.lines.length; count > 0; count--) {
    const lines = set.lines.slice(0, count).map(({ text }, index) => {
      const isCut = index === count - 1 && count < set.lines.length
      return { text: cutLine(isCut ? `${text}…` : text, room.width, width), size }
    })
    const cut = stack(lines, ruler)
    if (cut.height <= room.height) return cut
  }
  return { lines: [], height: 0 }
}

const leading = 1.16

type Unplaced = { text: string; size: number }

/** Puts lines below each other, so that their ink never overlaps. Without a gap, baselines keep a regular distance. */
function stack(
  lines: readonly Unplaced[],
  ruler: Ruler,
  gap?: (above: number, below: number) => number,
): SetText & { width: number } {
  const placed: SetLine[] = []
  let [ink, width] = [0, 0]
  for (const { text, size } of lines) {
    const extent = ruler(text, size)
    const above = placed.at(-1)
    const regular = gap || !above ? 0 : above.baseline + leading * size
    const baseline = Math.max(regular, ink + (above ? (gap?.(above.size, size) ?? 0) : 0) + extent.ascent)
    placed.push({ text, size, baseline })
    ink = baseline + extent.descent
    width = Math.max(width, extent.width)
  }
  return { lines: placed, height: ink, width }
}
