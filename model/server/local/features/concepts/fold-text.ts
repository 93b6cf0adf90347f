const letters: Readonly<Record<string, string>> = { ł: 'l', ı: 'i', ß: 'ss', ø: 'o', æ: 'ae', œ: 'oe', ى: 'ي', ة: 'ه' }

/**
 * Lower case, NFKC, without diacritics. Vowel signs of Indic scripts and Japanese voicing marks stay, because without
 * them words would change. Long runs of marks are cut first, because sorting them in normalisation takes quadratic
 * time. Two Arabic ligatures are dropped, because NFKC expands each to as many as eighteen characters.
 */
export function foldText(text: string): string {
  return text
    .replace(/[\p{Cf}\u0640]+/gu, '')
    .replace(/([\p{M}\uff9e\uff9f]{4})[\p{M}\uff9e\uff9f]+/gu, '$1')
    .replace(/[\ufdfa\ufdfb]+/g, ' ')
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f\u064b-\u065f\u0670\u093c]+/g, '')
    .normalize('NFC')
    .replace(/[łıßøæœىة]/g, (letter) => letters[letter] ?? letter)
}

/** The words of a folded text. An apostrophe or hyphen separates words. */
export function splitFoldedWords(folded: string): string[] {
  return folded.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
}
