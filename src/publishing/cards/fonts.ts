import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** `isForKorean`: first in the order for texts with Korean letters, a few of which the font for Chinese has too. */
export type CardFont = { file: string; package: string; isForKorean?: true }

const noto = (name: string): CardFont => ({
  file: `truetype/noto/${name}.ttf`,
  package: 'fonts-noto-core',
})

/** The fonts for what the sites' own typefaces lack, in the order in which a letter is looked for. */
export const cardFonts: readonly CardFont[] = [
  noto('NotoSerifDisplay-Bold'),
  noto('NotoNaskhArabic-Bold'),
  noto('NotoSerifHebrew-Bold'),
  noto('NotoSerifDevanagari-Bold'),
  noto('NotoSerifBengali-Bold'),
  noto('NotoSerifGujarati-Bold'),
  noto('NotoSerifGurmukhi-Bold'),
  noto('NotoSerifTamil-Bold'),
  noto('NotoSerifTelugu-Bold'),
  noto('NotoSerifKannada-Bold'),
  noto('NotoSerifMalayalam-Bold'),
  noto('NotoSerifSinhala-Bold'),
  noto('NotoSerifThai-Bold'),
  noto('NotoSerifLao-Bold'),
  noto('NotoSerifKhmer-Bold'),
  noto('NotoSerifMyanmar-Bold'),
  noto('NotoSerifGeorgian-Bold'),
  noto('NotoSerifArmenian-Bold'),
  noto('NotoSerifEthiopic-Bold'),
  {
    file: 'truetype/droid/DroidSansFallbackFull.ttf',
    package: 'fonts-droid-fallback',
  },
  {
    file: 'truetype/nanum/NanumSquareB.ttf',
    package: 'fonts-nanum',
    isForKorean: true,
  },
  {
    file: 'truetype/noto/NotoColorEmoji.ttf',
    package: 'fonts-noto-color-emoji',
  },
  noto('NotoSansSymbols2-Regular'),
]

export const fontPackages: readonly string[] = [...new Set(cardFonts.map((font) => font.package))]

/** The fonts that are not installed. Without them, all cards are plain. */
export const missingFonts = (directory: string): readonly CardFont[] =>
  cardFonts.filter(({ file }) => !existsSync(join(directory, file)))
