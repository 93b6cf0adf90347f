import { eld } from 'eld/small'

/**
 * Words that identify a text as English when it is too short for language detection: frequent words, and words typical of short notices. Words that other languages share (die, in, so, was, man, no) are excluded.
 */
export const englishWords: ReadonlySet<string> = new Set(
  `the of and to for with from by at on off this that these those there here it its is are were be been being
  you your yours my our their his her they them we us she he who what when where which why how
  not do does did don can could will would should may might must have has had
  all any both each every few many more most much some such other another only own same than too very
  about above after again against before below between down during into out over through under until up while
  one two three four five six seven eight nine ten first last next new old good bad best big small free
  get got give go going gone come coming know like look looking love make need please see sell selling sold take tell
  think time try use want wanted work buy buying sale offer price help thanks thank hello hi bye yes ok okay
  day days today tomorrow yesterday tonight morning evening week weekend month year night hour hours
  monday tuesday wednesday thursday friday saturday sunday
  open closed closes opens lost found left right back home house room street road town city people world
  meet meeting ferry train bus bridge market garden shop school weather rain snow wind tide water power
  cat dog bike car table chair book books music news test testing note notice update`.split(/\s+/),
)

/**
 * Shorter texts are too short for language detection. Measured: of texts with 3 words and 16 letters in seven other
 * languages, 95 to 99 % are recognised as not English, and 0.1 % of English text messages are mistaken for another
 * language.
 */
const leastLetters = 16
const leastWords = 3

/**
 * The model cannot read letters outside the Latin script. A place name in another script is allowed; a sentence is not.
 * In short texts the share of such letters counts, because the name may be the whole text.
 */
const mostForeignLetters = 12
const mostForeignShare = 0.5

/** How much better another language must match: misspelt or terse English often resembles another language slightly. */
const leastLead = 0.12

/** Each run of a few words is checked too, so that an English sentence does not hide another language next to it. */
const runWords = 8
const strideWords = 4

/** A text this short, such as "ok" or a price, has no language. */
const fewLetters = 3

/** Languages other than English for which the model has concept word lists. */
const listed = new Set([
  'es',
  'pt',
  'fr',
  'de',
  'it',
  'nl',
  'pl',
  'uk',
  'ru',
  'tr',
  'sw',
  'hi',
  'mr',
  'ar',
  'ja',
  'zh',
  'tl',
  'id',
  'ms',
])

/** Whether a text is clearly in one of the languages with word lists. */
export function isInListedLanguage(text: string): boolean {
  const { language, isReliable } = eld.detect(text)
  return listed.has(language) && isReliable()
}

/** False if a text, or a part of it, is clearly not in English, the only language that the encoder was trained on. */
export function isPerhapsEnglish(text: string): boolean {
  if (isInOtherScript(text)) return false
  const words = text
    .replaceAll(/https?:\/\/\S+|(?<!\S)\S{1,100}@\S{1,200}|@\w+/g, ' ')
    .split(/\s+/)
    .filter(Boolean)
  if (!isLongEnough(words)) return isShortEnglish(words.join(' '))
  return [words, ...runsOf(words)].every((run) => !isLongEnough(run) || !isOtherLanguage(run.join(' ')))
}

const countLetters = (text: string): number => text.match(/\p{L}/gu)?.length ?? 0

function isInOtherScript(text: string): boolean {
  const letters = countLetters(text)
  const foreign = letters - (text.match(/(?=\p{L})\p{Script=Latin}/gu)?.length ?? 0)
  return foreign > mostForeignLetters || (letters > fewLetters && foreign / letters > mostForeignShare)
}

const isLongEnough = (words: readonly string[]): boolean =>
  words.length >= leastWords && countLetters(words.join('')) >= leastLetters

/** Language detection needs more words, so at least one of them must be a known English word. */
function isShortEnglish(text: string): boolean {
  const letters = countLetters(text)
  if (letters !== (text.match(/[a-z]/gi)?.length ?? 0)) return false
  return letters <= fewLetters || (text.toLowerCase().match(/[a-z]+/g) ?? []).some((word) => englishWords.has(word))
}

function runsOf(words: readonly string[]): string[][] {
  const runs: string[][] = []
  for (let start = 0; start + strideWords < words.length; start += strideWords)
    runs.push(words.slice(start, start + runWords))
  return runs
}

function isOtherLanguage(text: string): boolean {
  const { language, getScores } = eld.detect(text)
  if (language === 'en' || language === '') return false
  const scores = getScores()
  return (scores[language] ?? 0) >= (scores.en ?? 0) + leastLead
}
