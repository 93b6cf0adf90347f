import { type PolicyCategoryId, policyCategoryIds } from '../../policy/policy.ts'
import { ModelError } from '../model-client/model-service.ts'
import { type Adapter, type JudgeReading, type PostPart, plainAnswer } from './adapter.ts'
import { neutralLine } from './fence.ts'

/** The policy category of a guard's label. `decides`: the label is narrow enough for the guard's rejection to count. */
export type GuardLabel = { category: PolicyCategoryId | null; decides: boolean }
export type GuardLabels = Readonly<Record<string, GuardLabel>>
export type GuardAnswer = { level: 'safe' | 'unsure' | 'unsafe'; labels: readonly GuardLabel[] }

/**
 * For models that are trained to label a text and follow no instructions. The server applies the model's prompt
 * template.
 */
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
 * A guard's template delimits the text with special tokens, which the text cannot contain, and recognises turns by how
 * a line starts. So each field becomes one line that starts with the field's name.
 */
function writeText({ kind, authorName, texts }: PostPart['post']): string {
  return [{ field: 'kind', text: kind }, { field: 'author_name', text: authorName }, ...texts]
    .map(({ field, text }) => `${neutralLine(field)}: ${neutralLine(text)}`)
    .join('\n')
}

/** Guards report no confidence. These values stand for "sure" and "unsure". No threshold may be between them. */
const guardScores = { sure: 0.9, unsure: 0.5 }

function readLabels({ level, labels }: GuardAnswer): JudgeReading {
  if (level === 'safe') return { verdict: 'accept', category: null, score: guardScores.sure }
  const gravest = labels.toSorted((one, other) => weightOf(other) - weightOf(one))[0]
  const category = gravest?.category ?? null
  if (level === 'unsafe' && gravest?.decides) return { verdict: 'reject', category, score: guardScores.sure }
  return { verdict: 'review', category, score: guardScores.unsure }
}

/** Labels about minors take precedence, then labels that decide, then labels with a policy category. */
const weightOf = ({ category, decides }: GuardLabel) =>
  (category === 'sexual_minors' ? 4 : 0) + (decides ? 2 : 0) + (category ? 1 : 0)

/** The labels with these names. Throws if a name is repeated or unknown in the model family. */
export function findLabels(known: GuardLabels, names: readonly string[]): GuardLabel[] {
  if (new Set(names).size < names.length) throw noAnswer()
  return names.map((name) => {
    const label = Object.hasOwn(known, name) ? known[name] : undefined
    if (!label) throw noAnswer()
    return label
  })
}

export const noAnswer = () =>
  new ModelError('not_an_answer', 'the judge’s response does not match the format of its model family')
