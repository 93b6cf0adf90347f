import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createCanvas, GlobalFonts, type SKRSContext2D } from '@napi-rs/canvas'
import { drawCardOn, type Fonts } from './card-layout.ts'
import { titleFontFile } from './card-look.ts'
import { type Coverage, coverageOf } from './font-coverage.ts'
import { cardFonts } from './fonts.ts'
import type { PostCard } from './post-card.ts'

/** The size that every service shows without cutting something off. */
export const cardSize = { width: 1_200, height: 630 } as const

export type CardRenderer = (card: PostCard) => Buffer

/**
 * Loads the fonts that are there and returns a function that draws cards. Let the event loop turn between two cards: a
 * copy of the pixels is only freed then.
 */
export function openRenderer(directory: string): CardRenderer {
  const found = cardFonts
    .map((font) => ({ ...font, file: join(directory, font.file) }))
    .filter(({ file }) => existsSync(file))
  const isCovered: Coverage = coverageOf(found.map(({ file }) => readFileSync(file)))
  const fallbacks = found.map(({ file }, index) => registered(`Broadside fallback ${index}`, file))
  const forKorean = fallbacks.filter((_, index) => found[index]?.isForKorean)
  const title = registered('Broadside title', titleFontFile)
  const stackOf = (card: PostCard) => (first: string) =>
    [first, ...(hasKorean(card) ? forKorean : []), ...fallbacks].map((name) => `"${name}"`).join(', ')
  // One canvas for all cards, because its memory is freed late.
  const canvas = createCanvas(cardSize.width, cardSize.height)
  const context: SKRSContext2D = canvas.getContext('2d')
  return (card) => {
    const { face } = card.look
    const stack = stackOf(card)
    const fonts: Fonts = {
      title: stack(title),
      text: stack(face === null ? title : registered(`Broadside ${face.replace(/^.*\//, '')}`, face)),
      isCovered,
    }
    context.reset()
    drawCardOn(context, cardSize, { card, fonts })
    return canvas.encodeSync('png')
  }
}

/** Not for texts that also have Chinese characters: the font for Korean has empty glyphs for them. */
const hasKorean = ({ text, author }: PostCard) =>
  /\p{Script=Hangul}/u.test(text + author) && !/\p{Script=Han}/u.test(text + author)

/** Under a name that no system font has. Fonts belong to the process, so another thread may have registered it. */
function registered(name: string, file: string): string {
  if (!GlobalFonts.has(name) && !GlobalFonts.registerFromPath(file, name)) throw new Error(`cannot load ${file}`)
  return name
}
