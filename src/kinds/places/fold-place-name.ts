/**
 * The key of a place name: without case, accents, spaces and punctuation, so that `São Paulo`, `sao paulo` and
 * `Sao-Paulo` are the same. `Saint` and `St.` are too. `city-keys.tsv` and `region-keys.tsv` contain these keys, so generate
 * them again after a change.
 */
export function foldPlaceName(text: string): string {
  return wordsOfPlace(text).join('')
}

/** The words of a name, each folded. */
export function wordsOfPlace(text: string): string[] {
  const plain = isAscii.test(text) ? text.toLowerCase().replaceAll(/['`]/g, '') : unaccented(text)
  return plain
    .split(separators)
    .flatMap((word) => (word === '' ? [] : [Object.hasOwn(abbreviated, word) ? String(abbreviated[word]) : word]))
}

const isAscii = /^[\x20-\x7e]*$/
const separators = /[^\p{L}\p{N}]+/u

const unaccented = (text: string) =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(apostrophes, '')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(spelled, (letter) => spelledOut[letter] ?? letter)

const apostrophes = /['’‘ʻʼʹ`´]/g
const spelledOut: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', œ: 'oe', æ: 'ae', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ı: 'i', ə: 'e', ς: 'σ' },
}
const spelled = new RegExp(`[${Object.keys(spelledOut).join('')}]`, 'g')
const abbreviated: Readonly<Record<string, string>> = {
  ...{ saint: 'st', sankt: 'st', sainte: 'ste', mount: 'mt', fort: 'ft' },
}

/** The same key with ä, ö, ü and å written as one letter instead of two: `muenchen` is `munchen`. */
export const withoutDigraphs = (key: string): string => key.replaceAll(/([aou])e|aa/g, (_, vowel) => vowel ?? 'a')
