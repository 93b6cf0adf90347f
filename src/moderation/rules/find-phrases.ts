/** A phrase found in a text: words `from` to `to`, the last not included. */
export type Find<Label> = { label: Label; phrase: string; from: number; to: number }

type Step = { words: ReadonlySet<string>; isOptional: boolean; maxGap: number }
type Compiled<Label> = { label: Label; phrase: string; steps: readonly Step[] }

/**
 * Phrases made ready to be looked for. The notation: `a|b` is either word, `a?` may be missing, `#` is a number, `*`
 * stands for up to three words and `**` for up to eight. A phrase begins with a word, and has two gaps at most, so that
 * looking takes linear time.
 */
export class PhraseBook<Label> {
  readonly #byFirstWord = new Map<string, Compiled<Label>[]>()

  /** `fold` must be the one that the texts are folded with. */
  constructor(entries: readonly { label: Label; phrases: readonly string[] }[], fold: (word: string) => string) {
    for (const { label, phrases } of entries)
      for (const phrase of phrases) {
        const steps = compile(phrase, fold)
        for (const word of steps[0]?.words ?? [])
          this.#byFirstWord.getOrInsertComputed(word, () => []).push({ label, phrase, steps })
      }
  }

  find(words: readonly string[]): Find<Label>[] {
    const finds: Find<Label>[] = []
    for (const [from, word] of words.entries())
      for (const key of isNumber(word) ? [word, anyNumber] : [word])
        for (const { label, phrase, steps } of this.#byFirstWord.get(key) ?? []) {
          const to = endOf(words, from + 1, steps, 1)
          if (to !== null) finds.push({ label, phrase, from, to })
        }
    return finds
  }
}

const anyNumber = '#'
const isNumber = (word: string) => /^\p{N}+$/u.test(word)
const gaps: Record<string, number> = { '*': 3, '**': 8 }

function compile(phrase: string, fold: (word: string) => string): Step[] {
  const steps: Step[] = []
  let maxGap = 0
  for (const part of phrase.split(' ')) {
    if (gaps[part]) maxGap = gaps[part]
    else {
      const isOptional = part.endsWith('?')
      const words = (isOptional ? part.slice(0, -1) : part).split('|')
      steps.push({ words: new Set(words.map((word) => (word === anyNumber ? word : fold(word)))), isOptional, maxGap })
      maxGap = 0
    }
  }
  return steps
}

function endOf(words: readonly string[], from: number, steps: readonly Step[], index: number): number | null {
  const step = steps[index]
  if (!step) return from
  for (let at = from; at <= from + step.maxGap; at++) {
    const word = words[at]
    if (word === undefined) break
    if (!step.words.has(word) && !(step.words.has(anyNumber) && isNumber(word))) continue
    const end = endOf(words, at + 1, steps, index + 1)
    if (end !== null) return end
  }
  return step.isOptional ? endOf(words, from, steps, index + 1) : null
}
