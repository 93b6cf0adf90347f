/** The text of one field of a post. */
export type TextPart = { field: string; text: string }

/**
 * The form that we store: line breaks as LF, and the text in NFC. Takes linear time. In text with too many stacked
 * marks, only the line breaks change: NFC would take quadratic time, and `findHiddenCharacter` reports such text.
 */
export function normalizeText(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n')
  return markPile.test(lines) ? lines : lines.normalize('NFC')
}

/** The length that limits apply to. A lone surrogate counts as one. */
export function countCodePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

export type HiddenCharacter = {
  /** In code points, starting at 0. */
  position: number
  /** For example `U+202E`. */
  codePoint: string
  /** For example 'a zero-width character'. */
  name: string
}

/**
 * The first character that models can read but people cannot see, or null. Linear in the length of the text. `oneLine`
 * also reports line breaks and tabs, for example in a title.
 */
export function findHiddenCharacter(text: string, { oneLine = false } = {}): HiddenCharacter | null {
  for (const match of text.matchAll(oneLine ? suspectsInOneLine : suspects)) {
    const fault = findFault(match)
    if (fault !== null) return describe(text, match.index + fault)
  }
  return null
}

// NFC uses an insertion sort for each run of marks: 130,000 marks, which fit in a request, block the process for 16 s.
// No writing system needs more than 30 (UAX #15, Stream-Safe Text Format).
const mark = String.raw`[\p{M}--\p{Default_Ignorable_Code_Point}]`
const markPileSource = `(?<!${mark})${mark}{30}(?<pile>${mark})`
const markPile = new RegExp(markPileSource, 'v')

const emoji = String.raw`[\p{Emoji}&&\p{Extended_Pictographic}]`
const emojiElement = String.raw`${emoji}[\uFE0F\u{1F3FB}-\u{1F3FF}]?`

const joiningScripts =
  'Arabic Syriac Mandaic Nko Adlam Hanifi_Rohingya Mongolian Phags_Pa Devanagari Bengali Gurmukhi Gujarati Oriya ' +
  'Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar Tibetan Tai_Tham Balinese Javanese Sundanese Meetei_Mayek ' +
  'Newa Tirhuta Chakma Grantha Kaithi Sharada'
const joining = visibleCharactersOf(joiningScripts)
const unspaced = visibleCharactersOf('Khmer Lao Myanmar Tai_Tham Thai')
const mongolian = visibleCharactersOf('Mongolian')

/** Letters, marks and digits. They include no hidden character, so one hidden character cannot legitimize another. */
function visibleCharactersOf(scripts: string): string {
  const anyScript = scripts.replaceAll(/\w+/g, String.raw`\p{Script_Extensions=$&}`).replaceAll(' ', '')
  return String.raw`[[[${anyScript}]&&[\p{L}\p{M}\p{Nd}]]--\p{Default_Ignorable_Code_Point}]`
}

/** Places where the script needs a hidden character. Except in emoji, each must follow a visible character. */
const legitimate = [
  // The flags of England, Scotland and Wales.
  String.raw`\p{RGI_Emoji_Tag_Sequence}`,
  // findFault checks these against the list of known sequences.
  String.raw`(?<joined>${emojiElement}(?:\u200D${emojiElement})+)`,
  // Keycaps. Other digits must not have a selector: a row of them could hide a card number from the rules.
  String.raw`(?<=[0-9#*])\uFE0F(?=\u20E3)`,
  // Text or emoji style.
  String.raw`(?<=${emoji})[\uFE0E\uFE0F]`,
  // Inside or at the end of a word: Malayalam chillu letters, Bengali khanda ta, the Persian abbreviation of Hijri.
  String.raw`(?<=${joining})[\u200C\u200D]`,
  // Persian endings after a Latin word or a number.
  String.raw`(?<=[[\p{L}\p{N}]--\p{Default_Ignorable_Code_Point}])\u200C(?=${joining})`,
  // A word boundary in scripts without spaces.
  String.raw`(?<=${unspaced})\u200B`,
  // Free variation selectors and the vowel separator.
  String.raw`(?<=${mongolian})[\u180B-\u180F]`,
  // Variants of one ideograph.
  String.raw`(?<=[\p{Script=Han}&&\p{Ideographic}])[\uFE00-\uFE02\u{E0100}-\u{E01EF}]`,
]
const invisible = String.raw`\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Noncharacter_Code_Point}\uFFF9-\uFFFB`
const unprintable = String.raw`\p{Cc}\p{Cs}\u2028\u2029`
const suspects = suspectsAmong(String.raw`[[${invisible}${unprintable}]--[\n\t]]`)
const suspectsInOneLine = suspectsAmong(`[${invisible}${unprintable}]`)

function suspectsAmong(hidden: string): RegExp {
  return new RegExp([...legitimate, markPileSource, `(?<hidden>${hidden})`].join('|'), 'gv')
}

/** The position of the hidden character in the match, in UTF-16 units, or null if there is none. */
function findFault({ 0: match, groups }: RegExpExecArray): number | null {
  if (groups?.['joined']) return findWrongJoiner(match)
  if (groups?.['pile']) return match.length - groups['pile'].length
  return groups?.['hidden'] ? 0 : null
}

/** The joiner after the longest known sequence, or null if all of it is known. Known sequences have at most four parts. */
function findWrongJoiner(sequence: string): number | null {
  const elements = sequence.split('\u200D')
  for (let count = Math.min(elements.length, 4); count > 1; count--) {
    const known = /^\p{RGI_Emoji_ZWJ_Sequence}$/v.test(elements.slice(0, count).map(qualify).join('\u200D'))
    if (known) return count === elements.length ? null : elements.slice(0, count).join('\u200D').length
  }
  return elements[0]?.length ?? 0
}

/** The form in the list of known sequences. Much software omits the emoji selector or adds an extra one. */
function qualify(element: string): string {
  const bare = element.replace('\uFE0F', '')
  return /^\P{Emoji_Presentation}$/u.test(bare) ? `${bare}\uFE0F` : bare
}

function describe(text: string, index: number): HiddenCharacter {
  const value = text.codePointAt(index) ?? 0
  const character = String.fromCodePoint(value)
  return {
    position: countCodePoints(text.slice(0, index)),
    codePoint: `U+${value.toString(16).toUpperCase().padStart(4, '0')}`,
    name: kinds.find(([, pattern]) => pattern.test(character))?.[0] ?? 'an invisible character',
  }
}

const kinds: readonly [name: string, pattern: RegExp][] = [
  ['a line break', /[\n\r\u0085\u2028\u2029]/],
  ['a tab', /\t/],
  ['a control character', /\p{Cc}/u],
  ['a lone surrogate', /\p{Cs}/u],
  ['a noncharacter', /\p{Noncharacter_Code_Point}/u],
  ['a bidirectional control', /\p{Bidi_Control}/u],
  ['a tag character', /[\u{E0000}-\u{E007F}]/u],
  ['a variation selector', /\p{Variation_Selector}/u],
  ['a zero-width character', /[\u200B-\u200D\u2060\uFEFF]/],
  ['an annotation character', /[\uFFF9-\uFFFB]/],
  ['one combining mark too many', new RegExp(mark, 'v')],
]
