import { type Random, randomFor } from '../../../tooling/random.ts'

const list = (text: string) => text.trim().split(/\s+/)

/** Function words by frequency, most common first. Language detection recognises these. */
export const functionWords = {
  en: list(`the of and to a in is for that it on with as are be at this from have or by was not but an they which their
    has been will its all were there when what if more no out so up can into than them only some could these may then do
    first any my now such like our over me even most after also before must through back where much your way well down
    should because each just those how too very make still while here between both under never same another how many few
    against during without again until every around`),
  de: list(`der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat
    dass sie nach wird bei einer um am sind noch wie einem über so zum kann nur sein ich wir oder aber vor zur bis mehr
    durch man dann soll unter wenn schon wo ihre seine gegen vom wieder etwas ohne uns sehr hier alle diese dieser dieses`),
  fr: list(`de la le et les des en un du une que est pour qui dans par plus pas au sur ne se ce il sont avec mais comme
    ou elle nous ses son aux cette être ont été leur tout fait sans peut deux bien encore aussi si entre après même ils
    vous où dont sous très depuis avant chez contre vers ces mes nos vos toujours jamais ici alors donc`),
  es: list(`de la que el en y a los del se las por un para con no una su al lo como más pero sus le ya o este sí porque
    esta entre cuando muy sin sobre también me hasta hay donde quien desde todo nos durante todos uno les ni contra otros
    ese eso ante ellos e esto mí antes algunos qué unos yo otro otras otra él tanto esa estos mucho cual poco`),
} as const

/** The subjects of everyday posts, most common first. */
export const contentWords = list(`time year people city water day work new house street open price free market good week
  month morning evening night school music road river train bus station park garden food coffee book report data model
  number story light weather rain wind sun sea harbour ferry bridge island village country language history science art
  film theatre museum library letter office company project team system service software server agent test method result
  measure record table list page photo picture paper machine engine bicycle car boat ship flight ticket tour guide map
  place corner room floor roof window door kitchen chair desk lamp clock phone camera battery cable screen keyboard
  repair sale offer order delivery size colour red green blue black white small large old young long short high low fast
  slow early late near far north south east west summer winter spring autumn january march april june july august october
  december monday friday saturday sunday today tomorrow hour minute second half quarter percent average total group member
  family child children woman women man men friend neighbour teacher student doctor nurse driver farmer fisher baker
  painter writer reader singer player worker visitor guest host owner tenant buyer seller bread cheese apple tomato
  potato onion fish meat rice soup cake tea wine beer salt sugar honey olive oil forest tree leaf flower seed bird cat dog
  horse sheep cow bee mountain valley lake beach field stone sand snow ice fire smoke cloud storm tide wave moon star sky
  earth world question answer problem solution idea plan change growth decline start end beginning version release update
  error warning notice message signal network address search index query value range limit rate cost budget tax bank money
  coin card account balance payment contract rule law court vote election council mayor region border port airport tunnel
  hospital pharmacy bakery restaurant hotel cinema gallery studio workshop factory farm mill tower castle church square
  concert festival exhibition lecture course class lesson meeting conference race match game season ticketing walk swim
  climb run ride travel visit learn teach read write speak listen watch build plant cook clean paint print measuring`)

export type Language = keyof typeof functionWords

const size = 150_000
/** Close to the value measured for English prose. */
const exponent = 1.05

/**
 * The first ranks are function words, which searches ignore; then subjects, so that some words occur in one post of
 * ten; then both alternate.
 */
const leadingFunctionWords = 17
const leadingContentWords = 40

export type Vocabulary = ReturnType<typeof makeVocabulary>

/** The words of all posts by rank: first real words, then pronounceable invented ones. */
export function makeVocabulary() {
  const { words, isFunction } = realWords()
  const known = new Set(words)
  const random = randomFor(1, -1)
  while (words.length < size) {
    const word = inventWord(random, words.length)
    if (known.has(word)) continue
    known.add(word)
    words.push(word)
  }
  const ranks = zipf(size, exponent)
  return {
    words: words as readonly string[],
    /** The probability that a word of a text has this rank. */
    shareOf: ranks.shareOf,
    /** The content words. */
    subjects: words.filter((_, rank) => !isFunction[rank]) as readonly string[],
    /** A text in another language has that language's function words and the same subjects. */
    draw: (random: Random, language: Language): string => {
      const rank = ranks.draw(random)
      if (language === 'en' || !isFunction[rank]) return String(words[rank])
      const own = functionWords[language]
      return String(own[rank % own.length])
    },
  }
}

function realWords() {
  const functions = [...new Set<string>(functionWords.en)]
  const contents = [...new Set(contentWords)].filter((word) => !functions.includes(word))
  const words = [...functions.splice(0, leadingFunctionWords), ...contents.splice(0, leadingContentWords)]
  const isFunction = words.map((_, rank) => rank < leadingFunctionWords)
  while (functions.length + contents.length > 0) {
    for (const source of [functions, contents]) {
      const word = source.shift()
      if (word === undefined) continue
      words.push(word)
      isFunction.push(source === functions)
    }
  }
  return { words, isFunction }
}

const starts = 'b d f g k l m n p r s t v z br dr fl gr kl pl st tr'.split(' ')
const vowels = 'a e i o u ai ou'.split(' ')

/** The rarer a word, the longer it is. */
function inventWord(random: Random, rank: number): string {
  const syllables = (rank < 3_000 ? 2 : 3) + random.below(2)
  const body = Array.from({ length: syllables }, () => random.pick(starts) + random.pick(vowels)).join('')
  return body + random.pick(['', '', 'n', 'r', 's', 't', 'l'])
}

/** Random ranks from 0, each less likely than the previous one: the n-th has a weight of 1/n^s. */
export function zipf(count: number, s: number) {
  let total = 0
  const sums = Float64Array.from({ length: count }, (_, rank) => (total += (rank + 1) ** -s))
  return {
    draw: (random: Random): number => {
      const wanted = (random.below(2 ** 30) / 2 ** 30) * total
      let [low, high] = [0, count - 1]
      while (low < high) {
        const middle = (low + high) >> 1
        if (Number(sums[middle]) > wanted) high = middle
        else low = middle + 1
      }
      return low
    },
    /** The probability of drawing this rank. */
    shareOf: (rank: number) => (rank + 1) ** -s / total,
  }
}
