import { latinOf } from '../rules/lookalikes.ts'

/**
 * The canonical copy of a text that every stage reads, while people and readers see the original: hidden characters gone,
 * width and style of letters taken off, letters of other alphabets, digits for letters and letters set apart put back
 * into words, and text in base64 decoded. Linear in the length of the text.
 */
export function canonicalise(text: string): string {
  const visible = text.replaceAll(hidden, '').replaceAll(piledMarks, '$1').normalize('NFKC').replaceAll(overlays, '$1')
  return readDigitsAsLetters(joinSpacedLetters(withLatinLetters(decodeHiddenText(visible))))
}

/** What the stages read of a post, each field by itself. */
export const canonicalParts = <Part extends { text: string }>(parts: readonly Part[]): Part[] =>
  parts.map((part) => ({ ...part, text: canonicalise(part.text) }))

const hidden = /[\p{Default_Ignorable_Code_Point}\u202a-\u202e\u2066-\u2069]/gu
/** More than four marks on a letter are no language's. They go first: to sort a long pile takes quadratic time. */
const piledMarks = /(\p{M}{4})\p{M}+/gu
/** Marks that did not become a letter of their own, such as strokes set over a Latin word. */
const overlays = /([a-z\s])\p{M}+/giu

/** A word that mixes alphabets, or stands in a Latin text and is made of look-alikes alone, is read as Latin. */
function withLatinLetters(text: string): string {
  const latin = text.match(/[a-z]/gi)?.length ?? 0
  const foreign = text.match(/[\u0370-\u052f]/g)?.length ?? 0
  if (foreign === 0) return text
  const isLatinText = latin > foreign
  return text.replaceAll(/\p{L}+/gu, (word) => {
    if (!/[\u0370-\u052f]/.test(word)) return word
    const letters = [...word]
    const isMixed = /[a-z]/i.test(word)
    const isDisguised = isLatinText && letters.every((letter) => latinOf(letter) !== undefined)
    return isMixed || isDisguised ? letters.map((letter) => latinOf(letter) ?? letter).join('') : word
  })
}

/** `k i l l` and `k.i.l.l`: a row of four or more single letters with the same sign between them is one word. */
function joinSpacedLetters(text: string): string {
  return text.replaceAll(spacedLetters, (row) => row.replaceAll(/[^\p{L}\p{N}@$]/gu, ''))
}
const spacedLetters =
  /(?<![\p{L}\p{N}@$])[\p{L}\p{N}@$](?:([ .\-_*|])[\p{L}\p{N}@$])(?:\1[\p{L}\p{N}@$]){2,}(?![\p{L}\p{N}@$])/gu

/** `p@ssw0rd`: a word in which signs stand for letters. `mp3`, `1st`, prices, numbers of parts and addresses stay. */
function readDigitsAsLetters(text: string): string {
  return text.replaceAll(wordWithSigns, (word) => {
    const isPlain = /[2689]|^\p{L}+\d+$|^\d+\p{L}{1,3}$|^[$@]\d|^@\p{L}|^\d+$/u.test(word) || !/\p{L}/u.test(word)
    const signs = word.match(/[013457@$]/g)?.length ?? 0
    const letters = word.match(/\p{L}/gu)?.length ?? 0
    return isPlain || signs === 0 || signs > letters * 2
      ? word
      : word.replaceAll(/[013457@$]/g, (sign) => letterOf[sign] ?? sign)
  })
}
const wordWithSigns = /(?<![\p{L}\p{N}@$/.:_-])[\p{L}\p{N}@$]{2,40}(?![\p{L}\p{N}@$/_-]|\.\p{L}|:\/)/gu
const letterOf: Record<string, string> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's' }

/** What base64 hides from readers it does not hide from the stages. A key or a picture decodes to no words and stays. */
function decodeHiddenText(text: string): string {
  return text.replaceAll(/(?<![\w+/=])[A-Za-z0-9+/]{24,8000}={0,2}(?![\w+/=])/g, (blob) => {
    if (/^[0-9a-f]+$/i.test(blob) || !/[A-Z]/.test(blob) || !/[a-z]/.test(blob)) return blob
    const decoded = Buffer.from(blob, 'base64').toString('utf8')
    return isProse(decoded) ? decoded : blob
  })
}

const isProse = (text: string) =>
  text.length >= 12 && text.includes(' ') && /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\n\t]+$/u.test(text)
