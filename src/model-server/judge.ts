import { type PolicyCategoryId, policy } from '../policy/policy.ts'
import { foldedTexts, foldWords, type Word } from './fold.ts'
import { SimilarityIndex } from './similarity.ts'

export type Judgement = {
  verdict: 'accept' | 'review' | 'reject'
  category: PolicyCategoryId | null
  /** How sure it is of the verdict, from 0 to 1. */
  score: number
}

/**
 * Judges a post by the policy's own examples: refused is what clearly resembles a violating one, a person's case what
 * resembles one a little. It shares no list with the classifier. `texts` are the post's own; a name is judged alone.
 */
export function judge({ texts, authorName }: { texts: readonly string[]; authorName: string }): Judgement {
  const post = foldWords(texts.join('\n\n'))
  const judgements = [
    ...(post.length <= longestExampleWords ? [judgeWindow(post, 'whole')] : []),
    ...[...windowsOf(post)].map((window) => judgeWindow(window, 'part')),
    judgeWindow(foldWords(authorName), 'part'),
  ]
  return judgements.reduce((worst, other) => (severity(other) > severity(worst) ? other : worst), accepted(0))
}

type Example = { category: PolicyCategoryId; isViolating: boolean; words: readonly string[] }

/** A definition counts as a text that may be published: who writes like it writes about the rule. */
export const examples: readonly Example[] = policy.categories.flatMap(({ id, definition, examples: given }) => [
  ...given.violating.map((text) => ({ category: id, isViolating: true, words: wordsOf(text) })),
  ...[...given.non_violating, definition].map((text) => ({ category: id, isViolating: false, words: wordsOf(text) })),
])

/** Without the kind of post, which each begins with. */
function wordsOf(example: string): string[] {
  return foldedTexts(example.replace(/^(?:Message|Story|Classified ad|Event): /, ''))
}

const index = new SimilarityIndex(examples.map(({ words }) => words))
const longestExampleWords = 48

/**
 * How alike a violating example must be, and by how much more than any other. Of 10,000 short messages between friends
 * none is as alike as 0.24; of 66 bad posts that were written without looking at the examples, 5 are.
 */
const bounds = { reject: { likeness: 0.45, margin: 0.15 }, review: { likeness: 0.24, margin: 0.08 } }
/** What is shorter has too little in common with anything. */
const leastWords = 4
/** So that a violation is found among other words: windows about as long as an example and as half of one. */
const windows = [
  { words: 24, step: 8 },
  { words: 12, step: 4 },
]

function* windowsOf(post: readonly Word[]): Generator<readonly Word[]> {
  for (const { words, step } of windows)
    if (post.length > words)
      for (let from = 0; from < post.length - words + step; from += step) yield post.slice(from, from + words)
}

/** Low quality is a fault of the whole post: one dull line in a story is none. */
function judgeWindow(window: readonly Word[], extent: 'whole' | 'part'): Judgement {
  if (window.length < leastWords) return accepted(0)
  const likeness = index.compare(window.map((word) => word.text))
  let violating = 0
  let allowed = 0
  let category: PolicyCategoryId | null = null
  for (const [at, example] of examples.entries()) {
    const value = likeness[at] ?? 0
    if (!example.isViolating) allowed = Math.max(allowed, value)
    else if (value > violating && (extent === 'whole' || example.category !== 'low_quality')) {
      violating = value
      category = example.category
    }
  }
  const reaches = ({ likeness, margin }: typeof bounds.reject) => violating >= likeness && violating - allowed >= margin
  if (reaches(bounds.reject) && !isMostlyQuoted(window))
    return { verdict: 'reject', category, score: rounded(violating) }
  return reaches(bounds.review) ? { verdict: 'review', category, score: rounded(violating) } : accepted(violating)
}

const accepted = (likeness: number): Judgement => ({ verdict: 'accept', category: null, score: rounded(1 - likeness) })
const rounded = (value: number) => Math.round(Math.min(1, Math.max(0, value)) * 1_000) / 1_000

/** Whoever quotes may be reporting: that is for a person to see. */
const isMostlyQuoted = (window: readonly Word[]) =>
  window.filter(({ quoted }) => quoted > 0).length * 2 >= window.length

const ranks = { accept: 0, review: 1, reject: 2 }
const severity = ({ verdict, score }: Judgement) => ranks[verdict] + (verdict === 'accept' ? 0 : score / 2)
