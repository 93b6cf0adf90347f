/** Whether at least one font has this code point. */
export type Coverage = (codePoint: number) => boolean

/**
 * What a list of TrueType files can draw, by their `cmap` tables. The canvas takes missing letters from whichever fonts
 * the machine has, so the same post would look different elsewhere. With this, they can be replaced first.
 */
export function coverageOf(fonts: readonly Buffer[]): Coverage {
  const covered = new Uint8Array(0x110000 / 8)
  const add = (codePoint: number) => {
    covered[codePoint >> 3] = (covered[codePoint >> 3] ?? 0) | (1 << (codePoint & 7))
  }
  for (const font of fonts) for (const [first, last] of rangesOf(font)) for (let at = first; at <= last; at++) add(at)
  return (codePoint) => ((covered[codePoint >> 3] ?? 0) & (1 << (codePoint & 7))) !== 0
}

type Range = readonly [first: number, last: number]

/** The code points of a font, from its subtable with 32 bits if it has one. */
function rangesOf(font: Buffer): Range[] {
  const table = tableAt(font)
  const count = font.readUInt16BE(table + 2)
  const subtables = Array.from({ length: count }, (_, index) => table + font.readUInt32BE(table + 4 + index * 8 + 4))
  const full = subtables.find((at) => font.readUInt16BE(at) === 12)
  if (full !== undefined) return fullRanges(font, full)
  const basic = subtables.find((at) => font.readUInt16BE(at) === 4)
  return basic === undefined ? [] : basicRanges(font, basic)
}

function tableAt(font: Buffer): number {
  for (let index = 0; index < font.readUInt16BE(4); index++) {
    const record = 12 + index * 16
    if (font.toString('latin1', record, record + 4) === 'cmap') return font.readUInt32BE(record + 8)
  }
  throw new Error('a font has no cmap table')
}

/** Format 12. */
function fullRanges(font: Buffer, at: number): Range[] {
  return Array.from({ length: font.readUInt32BE(at + 12) }, (_, index) => {
    const group = at + 16 + index * 12
    return [font.readUInt32BE(group), font.readUInt32BE(group + 4)] as const
  })
}

/** Format 4. A glyph of 0 means that the font lacks the code point, which only some segments can say. */
function basicRanges(font: Buffer, at: number): Range[] {
  const doubled = font.readUInt16BE(at + 6)
  const [ends, starts] = [at + 14, at + 16 + doubled]
  const [deltas, offsets] = [starts + doubled, starts + 2 * doubled]
  const ranges: Range[] = []
  for (let segment = 0; segment < doubled; segment += 2) {
    const [first, last] = [font.readUInt16BE(starts + segment), font.readUInt16BE(ends + segment)]
    const [delta, offset] = [font.readUInt16BE(deltas + segment), font.readUInt16BE(offsets + segment)]
    for (let code = first; code <= last && code !== 0xffff; code++) {
      const found = offset === 0 ? code : font.readUInt16BE(offsets + segment + offset + 2 * (code - first))
      if (found !== 0 && ((found + delta) & 0xffff) !== 0) ranges.push([code, code])
    }
  }
  return ranges
}

const blank = '□'
/** Spaces, joiners and variation selectors. */
const hasNoPicture = /\s|\p{Cf}|\p{Variation_Selector}/u

/**
 * Replaces what no font has by a box. Returns undefined if that would be more than a third of the letters, since nobody
 * could read it.
 */
export function replaceUncovered(text: string, isCovered: Coverage): string | undefined {
  let [letters, missing] = [0, 0]
  const shown = Array.from(text, (character) => {
    if (/\p{L}|\p{N}|\p{S}/u.test(character)) letters++
    if (isCovered(character.codePointAt(0) ?? 0) || hasNoPicture.test(character)) return character
    missing++
    return blank
  }).join('')
  return missing > 0 && missing * 3 > letters ? undefined : shown
}
