import { type PolicyCategoryId, policyCategoryIds } from '../../policy/policy.ts'
import { ModelError } from '../model-client/model-service.ts'
import { type Adapter, type JudgeReading, type PostPart, plainAnswer } from './adapter.ts'
import { neutralLine } from './fence.ts'

/** What a label of a guard means here. `decides`: it is narrow enough that the guard's refusal counts as one. */
export type GuardLabel = { category: PolicyCategoryId | null; decides: boolean }
export type GuardLabels = Readonly<Record<string, GuardLabel>>
export type GuardAnswer = { level: 'safe' | 'unsure' | 'unsafe'; labels: readonly GuardLabel[] }

/** A model that was trained to label one text and follows no instructions. Its own template puts the question. */
export function guardAdapter(labels: GuardLabels, readAnswer: (content: string) => GuardAnswer): Adapter {
  const covered = Object.values(labels).map(({ category }) => category)
  return {
    notCovered: policyCategoryIds.filter((id) => !covered.includes(id)),
    ask: (model, { post }) => ({
      body: { model, messages: [{ role: 'user', content: writeText(post) }], max_tokens: 100, ...plainAnswer },
      read: (content) => readLabels(readAnswer(content.trim())),
    }),
  }
}

/**
 * A guard's template puts the text between its own tokens, which the text cannot hold, and marks turns by the beginning
 * of a line. So each field is one line that begins with its name.
 */
function writeText({ kind, authorName, texts }: PostPart['post']): string {
  return [{ field: 'kind', text: kind }, { field: 'author_name', text: authorName }, ...texts]
    .map(({ field, text }) => `${neutralLine(field)}: ${neutralLine(text)}`)
    .join('\n')
}

/** Guards say no number. These stand for "said so" and "was not sure"; no threshold may be set between them. */
const guardScores = { sure: 0.9, unsure: 0.5 }

function readLabels({ level, labels }: GuardAnswer): JudgeReading {
  if (level === 'safe') return { verdict: 'accept', category: null, score: guardScores.sure }
  const gravest = labels.toSorted((one, other) => weightOf(other) - weightOf(one))[0]
  const category = gravest?.category ?? null
  if (level === 'unsafe' && gravest?.decides) return { verdict: 'reject', category, score: guardScores.sure }
  return { verdict: 'review', category, score: guardScores.unsure }
}

/** What concerns minors is hidden behind nothing; then what decides; then what the policy knows. */
const weightOf = ({ category, decides }: GuardLabel) =>
  (category === 'sexual_minors' ? 4 : 0) + (decides ? 2 : 0) + (category ? 1 : 0)

/** The labels of those names; a name that the family does not have is no answer. */
export function findLabels(known: GuardLabels, names: readonly string[]): GuardLabel[] {
  if (new Set(names).size < names.length) throw noAnswer()
  return names.map((name) => {
    const label = Object.hasOwn(known, name) ? known[name] : undefined
    if (!label) throw noAnswer()
    return label
  })
}

export const noAnswer = () => new ModelError('not_an_answer', 'the judge’s answer has not the form of its family')
