import { ar } from './ar.ts'
import { type ConceptWords, conceptNames as names } from './concept.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { foldText, splitFoldedWords } from './fold-text.ts'
import { fr } from './fr.ts'
import { hi } from './hi.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'
import { sw } from './sw.ts'
import { tl } from './tl.ts'
import { tr } from './tr.ts'
import { uk } from './uk.ts'
import { zh } from './zh.ts'

/** The names of the numbers that `measureConcepts` returns, in the same order. */
export const conceptNames: readonly string[] = names

type Part = { readonly text: string; readonly whole: boolean }
type Entry = { readonly id: number; readonly concept: number; readonly whole: boolean; readonly rest: readonly Part[] }
type Node = { readonly next: Map<string, Node>; readonly entries: Entry[] }

const enough = 3
const spaced = [en, es, pt, fr, de, it, nl, pl, uk, tr, sw, hi, ar, tl]
const unspaced = [ja, zh]
const spacedRoot = newNode()
const unspacedRoot = newNode()
let entryCount = 0

/** Adds all words when the first text is measured, because the main thread of the model measures none. */
function addWords(): void {
  if (entryCount > 0) return
  for (const words of spaced) addLanguage(words, (concept, entry) => addPhrase(concept, entry))
  for (const words of unspaced) addLanguage(words, (concept, entry) => addEntry(unspacedRoot, foldText(entry), concept))
}

/** How many different words of each concept a text contains, up to three, scaled to 0 to 1. */
export function measureConcepts(text: string): Float32Array {
  addWords()
  const folded = foldText(text)
  const found = names.map(() => new Set<number>())
  findInWords(splitFoldedWords(folded), found)
  findAnywhere(folded, found)
  return Float32Array.from(found, (ids) => Math.min(enough, ids.size) / enough)
}

/** If several entries of one concept match at the same position, only the longest counts. */
function findInWords(words: readonly string[], found: readonly Set<number>[]): void {
  const longest = new Map<number, number>()
  for (let at = 0; at < words.length; at++) {
    for (const form of formsOf(words[at] ?? '')) {
      walk(spacedRoot, form, 0, (entry, end) => {
        if (entry.whole && end < form.length) return
        if (restFits(entry.rest, words, at + 1)) longest.set(entry.concept, entry.id)
      })
    }
    take(longest, found)
  }
}

function findAnywhere(folded: string, found: readonly Set<number>[]): void {
  const longest = new Map<number, number>()
  for (let at = 0; at < folded.length; at++) {
    walk(unspacedRoot, folded, at, (entry) => longest.set(entry.concept, entry.id))
    take(longest, found)
  }
}

function take(longest: Map<number, number>, found: readonly Set<number>[]): void {
  if (longest.size === 0) return
  for (const [concept, id] of longest) found[concept]?.add(id)
  longest.clear()
}

/** The depth of the tree limits the number of steps, however long the text is. */
function walk(root: Node, text: string, from: number, visit: (entry: Entry, end: number) => void): void {
  let node = root
  for (let at = from; at < text.length; at++) {
    const next = node.next.get(text.charAt(at))
    if (next === undefined) return
    node = next
    for (const entry of node.entries) visit(entry, at + 1)
  }
}

/** Arabic attaches the article, "and" and some prepositions to the word. */
function formsOf(word: string): readonly string[] {
  if (!isArabic(word)) return [word]
  const joined = /^(?:[وفبك]?ال|لل|[وفبل])(?=[\u0621-\u064a]{3})/.exec(word)
  return joined === null ? [word] : [word, word.slice(joined[0].length)]
}

function isArabic(word: string): boolean {
  const code = word.charCodeAt(0)
  return code >= 0x0621 && code <= 0x064a
}

function restFits(rest: readonly Part[], words: readonly string[], from: number): boolean {
  for (let index = 0; index < rest.length; index++) {
    const part = rest[index]
    const word = words[from + index]
    if (part === undefined || word === undefined || !fits(part, word)) return false
  }
  return true
}

function fits(part: Part, word: string): boolean {
  if (part.whole) return word === part.text
  return word.startsWith(part.text) || (isArabic(word) && formsOf(word).some((form) => form.startsWith(part.text)))
}

function addLanguage(words: ConceptWords, add: (concept: number, entry: string) => void): void {
  for (const [concept, name] of names.entries()) {
    for (const entry of words[name].split(',')) if (entry.trim() !== '') add(concept, entry.trim())
  }
}

function addPhrase(concept: number, phrase: string): void {
  const [first, ...rest] = phrase.split(/[\s'’-]+/).flatMap(readPart)
  if (first !== undefined) addEntry(spacedRoot, first.text, concept, first.whole, rest)
}

function readPart(written: string): Part[] {
  return splitFoldedWords(foldText(written)).map((text) => ({
    text,
    whole: written.endsWith('$') || (text.length < 4 && !written.endsWith('*')),
  }))
}

/** The same entry in two languages counts once. */
function addEntry(root: Node, text: string, concept: number, whole = false, rest: readonly Part[] = []): void {
  let node = root
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at)
    const next = node.next.get(letter) ?? newNode()
    node.next.set(letter, next)
    node = next
  }
  const key = JSON.stringify([concept, whole, rest])
  const known = node.entries.some((entry) => JSON.stringify([entry.concept, entry.whole, entry.rest]) === key)
  if (!known) node.entries.push({ id: entryCount++, concept, whole, rest })
}

function newNode(): Node {
  return { next: new Map(), entries: [] }
}
