import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** `isForKorean`: first in the order for texts with Korean letters, a few of which the font for Chinese has too. */
export type CardFont = { file: string; package: string; sha256: string; isForKorean?: true }

const noto = (name: string, sha256: string): CardFont => ({
  file: `truetype/noto/${name}.ttf`,
  package: 'fonts-noto-core',
  sha256,
})

/**
 * The fonts for what the sites' own typefaces lack, in the order in which a letter is looked for. The hashes are those
 * of Debian 12. Other versions work too, but draw some letters differently.
 */
export const cardFonts: readonly CardFont[] = [
  noto('NotoSerifDisplay-Bold', '8666c2488e681a31670f9fc0b5d59fa4f21f2a0664a76876fe49ebd832f673c7'),
  noto('NotoNaskhArabic-Bold', 'b5cbcb561b4b540ff11d7b6934577dbbbbb9e1d152d47f6f31f19176d58ff39c'),
  noto('NotoSerifHebrew-Bold', '95150a28d438cba6c79393ef18ad06f39a8b53a7d457e61d8c9d585176ef36da'),
  noto('NotoSerifDevanagari-Bold', '42a0d0664b51212894c8bb226ad8947c194f1ab1903555a41979877d3b9267be'),
  noto('NotoSerifBengali-Bold', '96cc17640329810e2ac1b53d61ec4f429ba9bf729d4f37623a296581d79a5133'),
  noto('NotoSerifGujarati-Bold', '3ffd3aca4b23f250f3d1370375ae8c70884370bb7c5078a3733769045ae31472'),
  noto('NotoSerifGurmukhi-Bold', 'a1550839d8dda8e422cc05b94ba13af13595f677255f106ad52b7fe020a7899a'),
  noto('NotoSerifTamil-Bold', '1cb01b8096603e16917c67769f0f6b3faad390cab02b35fa81662dd5611dcc22'),
  noto('NotoSerifTelugu-Bold', '3ccec8830f3a55b4395ae24ab73aae25b92ca05e293a352726b89cf5b06a16ad'),
  noto('NotoSerifKannada-Bold', '201c469f27e419ad5676f9a293dbcc76d2fc9cf4b0ad831efbf2723da3631236'),
  noto('NotoSerifMalayalam-Bold', 'f76f82ffac39f7490b3608761b14e8c416aa4554b1591725de86d36ab51745b4'),
  noto('NotoSerifSinhala-Bold', 'a7b73afecc64acc2cf1aaf7a8eb2ab9eb2cc75bce6497240be29563fa450c87a'),
  noto('NotoSerifThai-Bold', 'befef873c46740e20a49e8762c151d5fe1dddd0ecdddaf48766c709eae51f086'),
  noto('NotoSerifLao-Bold', '0613b9803cc45e1794a0f87e79f5a70ff3119676509b6de8807540120107f4a0'),
  noto('NotoSerifKhmer-Bold', '642cc0a8da68b6a2cb53017144eff68057c6731c42f5829601d15a25f28a9221'),
  noto('NotoSerifMyanmar-Bold', '37ce93b711966fbade660e2f9173c04aa80d1232c16cb5458e22cb8f6d0560fd'),
  noto('NotoSerifGeorgian-Bold', '635bc1529b2ca28dfc694aa7cd1e9960c04fdfcde99ee5b7f7b34761d37259fe'),
  noto('NotoSerifArmenian-Bold', 'fea8914af4f165301e619655e1e5fa447c65c08077010c8153bfe2d599d85bc1'),
  noto('NotoSerifEthiopic-Bold', '57ae343eee78a8cb40532dc21edf7740001a39f557c61d85c06f66894cc15474'),
  {
    file: 'truetype/droid/DroidSansFallbackFull.ttf',
    package: 'fonts-droid-fallback',
    sha256: 'acb6440a713d880a13a21b468ba7cd43f5a2b2934972e51be791c880730777b8',
  },
  {
    file: 'truetype/nanum/NanumSquareB.ttf',
    package: 'fonts-nanum',
    isForKorean: true,
    sha256: 'f737d58294faec9c632189af3a2a3e48e49c03c0256de09db61e879e2857bfbf',
  },
  {
    file: 'truetype/noto/NotoColorEmoji.ttf',
    package: 'fonts-noto-color-emoji',
    sha256: 'e5899ed38b8ed83e08bd3ac5de09791e9d19d288333a796de1d35ad17396f1ec',
  },
  noto('NotoSansSymbols2-Regular', '876598db5f1e3bef2bc77c4d94c5b0d5d2c1620be4878a06f18fb5434e331688'),
]

export const fontPackages: readonly string[] = [...new Set(cardFonts.map((font) => font.package))]

/** The fonts that are not installed. Without them, no cards are drawn. */
export const missingFonts = (directory: string): readonly CardFont[] =>
  cardFonts.filter(({ file }) => !existsSync(join(directory, file)))
