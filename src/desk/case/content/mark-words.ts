import { type Html, html } from '../../../markup/html.ts'
import { thresholds } from '../../../moderation/decisions/thresholds.ts'
import { findTriggers, type Trigger } from '../../../moderation/rules/apply-rules.ts'
import { categoryTitle } from '../labels.ts'

/** A text and the parts of it that made a rule match. */
export type TracedText = { text: string; triggers: readonly Trigger[] }

/** More would cover the text with marks, and say no more. */
const mostMarked = 100

/** Runs the current rules over a text. They are the rules of moderation, and take linear time. */
export const traceRules = (text: string): TracedText => ({
  text,
  triggers: findTriggers(text, thresholds.rules.hint)
    .toSorted((one, other) => one.start - other.start)
    .slice(0, mostMarked),
})

/** A piece of text between two places where a mark starts or ends. */
type Piece = { text: string; titles: string }

/** Cuts `text.slice(start, end)` into pieces, each wholly marked or not marked. Marks can overlap. */
function piecesOf({ text, triggers }: TracedText, start: number, end: number): Piece[] {
  const own = triggers.filter((one) => one.start < end && one.end > start)
  const cuts = [start, end, ...own.flatMap((one) => [one.start, one.end])].filter((at) => at >= start && at <= end)
  const places = [...new Set(cuts)].sort((one, other) => one - other)
  return places.slice(0, -1).map((from, index) => {
    const to = Number(places[index + 1])
    const covering = own.filter((one) => one.start <= from && one.end >= to)
    const titles = [...new Set(covering.map(({ category }) => categoryTitle(category)))].join(', ')
    return { text: text.slice(from, to), titles }
  })
}

/** Joins neighbours with the same titles, so that one mark has no seams. */
function joined(pieces: readonly Piece[]): Piece[] {
  const all: Piece[] = []
  for (const piece of pieces) {
    const last = all.at(-1)
    if (last?.titles === piece.titles) last.text += piece.text
    else all.push({ ...piece })
  }
  return all
}

const markup = (pieces: readonly Piece[]): Html =>
  joined(pieces)
    .map(({ text, titles }) =>
      titles === '' ? html`${text}` : html`<mark title="${`Matches a rule: ${titles}`}">${text}</mark>`,
    )
    .join('')

/** The whole text with its marks. */
export const markedText = (traced: TracedText): Html => markup(piecesOf(traced, 0, traced.text.length))

/** The titles of the categories that have a mark, in the order of the text. */
export const markedCategories = (traced: readonly TracedText[]): string[] => [
  ...new Set(traced.flatMap(({ triggers }) => triggers.map(({ category }) => categoryTitle(category)))),
]

/**
 * Marks words in an article. The presentation of a kind sets `lang=""` on each element with an author's words: their
 * text is found again in the traced texts. All text is taken out of the markup and escaped anew, and a mark never spans
 * an element, so the result is as valid as the article was.
 */
export function markArticle(article: Html, traced: readonly TracedText[]): Html {
  const marked = traced.filter(({ triggers }) => triggers.length > 0)
  if (marked.length === 0) return article
  return article.replaceAll(authorsElement, (element: string, open: string, tag: string) => {
    const close = `</${tag}>`
    const inner = element.slice(open.length, -close.length)
    return html`!${open}!${markInner(inner, marked)}!${close}`
  })
}

/** An element with an author's words. None contains another element of its own name. */
const authorsElement = /(<(\w+)\b[^>]* lang=""[^>]*>)[\s\S]*?<\/\2>/g

function markInner(inner: Html, marked: readonly TracedText[]): Html {
  // Tags at odd places, text at even ones.
  const parts = inner.split(/(<[^>]*>)/)
  const texts = parts.map((part, index) => (index % 2 === 0 ? unescaped(part) : ''))
  const whole = texts.join('')
  const source = marked.find(({ text }) => text.includes(whole))
  if (!source || whole === '') return inner
  let at = source.text.indexOf(whole)
  return parts
    .map((part, index) => {
      const text = texts[index] ?? ''
      if (text === '') return part
      at += text.length
      return markup(piecesOf(source, at - text.length, at))
    })
    .join('')
}

/** The templates escape by number only. */
const unescaped = (text: Html): string => text.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
