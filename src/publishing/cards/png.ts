import { crc32, deflateSync } from 'node:zlib'

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
const keyword = 'broadside-card\0'

type Size = { width: number; height: number }

/**
 * A picture of RGBA pixels as a PNG file with up to 256 colours, without transparency. The shades at the edges of letters
 * are joined with similar ones, which nobody sees and which halves the file. The fingerprint is stored as a comment.
 */
export function encodePng(rgba: Uint8Array, size: Size, fingerprint: string): Buffer {
  const pixels = coloursOf(rgba)
  const { palette, places } = choosePalette(pixels)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size.width)
  header.writeUInt32BE(size.height, 4)
  // Eight bits for each pixel, which name a colour of the palette.
  header.set([8, 3], 8)
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('tEXt', Buffer.from(keyword + fingerprint, 'latin1')),
    chunk('PLTE', Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]))),
    chunk('IDAT', deflateSync(rowsOf(pixels, size, places), { level: 6 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Each pixel as one number. */
function coloursOf(rgba: Uint8Array): Uint32Array {
  const pixels = new Uint32Array(rgba.length / 4)
  for (let at = 0; at < pixels.length; at++)
    pixels[at] = ((rgba[4 * at] ?? 0) << 16) | ((rgba[4 * at + 1] ?? 0) << 8) | (rgba[4 * at + 2] ?? 0)
  return pixels
}

const mostColours = 256
/** The square of the distance below which two colours look the same at the edge of a letter. */
const sameColour = 108

/** The most frequent colours that differ visibly, and the place of each colour's substitute among them. */
function choosePalette(pixels: Uint32Array): { palette: number[]; places: ReadonlyMap<number, number> } {
  const palette: number[] = []
  const places = new Map<number, number>()
  for (const colour of byFrequency(pixels)) {
    const { place, distance } = nearest(palette, colour)
    if (distance > sameColour && palette.length < mostColours) places.set(colour, palette.push(colour) - 1)
    else places.set(colour, place)
  }
  return { palette, places }
}

function byFrequency(pixels: Uint32Array): number[] {
  const counts = new Map<number, number>()
  let start = 0
  // Most pixels are in long runs of one colour.
  for (let at = 1; at <= pixels.length; at++)
    if (pixels[at] !== pixels[start]) {
      const colour = pixels[start] ?? 0
      counts.set(colour, (counts.get(colour) ?? 0) + at - start)
      start = at
    }
  return [...counts].sort(([one, few], [other, many]) => many - few || one - other).map(([colour]) => colour)
}

function nearest(palette: readonly number[], colour: number): { place: number; distance: number } {
  let [place, distance] = [0, Number.POSITIVE_INFINITY]
  for (const [index, other] of palette.entries()) {
    const red = (other >> 16) - (colour >> 16)
    const green = ((other >> 8) & 255) - ((colour >> 8) & 255)
    const blue = (other & 255) - (colour & 255)
    const square = red * red + green * green + blue * blue
    if (square < distance) [place, distance] = [index, square]
  }
  return { place, distance }
}

/** Rows without filters: text on one colour is compressed best so. */
function rowsOf(pixels: Uint32Array, { width, height }: Size, places: ReadonlyMap<number, number>): Buffer {
  const rows = Buffer.alloc(height * (1 + width))
  for (let y = 0, from = 0, to = 0; y < height; y++) {
    to++
    for (let x = 0; x < width; x++, from++, to++)
      rows[to] = x > 0 && pixels[from] === pixels[from - 1] ? (rows[to - 1] ?? 0) : (places.get(pixels[from] ?? 0) ?? 0)
  }
  return rows
}

function chunk(type: string, data: Buffer): Buffer {
  const bytes = Buffer.alloc(12 + data.length)
  bytes.writeUInt32BE(data.length)
  bytes.write(type, 4, 'latin1')
  data.copy(bytes, 8)
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length)
  return bytes
}

/** The fingerprint in a file that `encodePng` made; undefined in any other file. */
export function fingerprintIn(png: Buffer): string | undefined {
  const start = signature.length + 25 + 8
  const end = start + keyword.length
  return png.toString('latin1', start, end) === keyword ? png.toString('latin1', end, end + 32) : undefined
}
