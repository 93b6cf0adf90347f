import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalParts } from '../../../src/moderation/pipeline/canonicalise.ts'
import { readRules } from '../../../src/moderation/pipeline/judge-in-stages.ts'
import type { CategoryScores } from '../../../src/moderation/pipeline/opinion.ts'
import { repoDir } from '../../../tooling/services/state.ts'
import { isInListedLanguage, isPerhapsEnglish } from '../../server/local/features/language.ts'
import { prepareText } from '../../server/local/features/prepare-text.ts'
import { learntCategories } from '../../server/local/local-model.ts'
import { type EvalPost, firstAuthor } from '../data/read-set.ts'
import { authorName, noScores, type Observed, textOf } from '../models/open-model.ts'

/** Training writes it next to the weights: the scores of each post from models trained without its author. */
export const leftOutName = 'left-out.json'

type Row = [id: string, overall: number, ...probabilities: number[]]

/**
 * The open posts, each scored by a model trained without its author; training stores the scores with the weights. The
 * first author's posts are excluded, because the categories were trained on them.
 */
export function observeLeftOut(
  posts: readonly EvalPost[],
  directory = join(repoDir, 'model/weights/local'),
): Observed<EvalPost>[] {
  const path = join(directory, leftOutName)
  if (!existsSync(path)) return []
  const rows = new Map((JSON.parse(readFileSync(path, 'utf8')) as Row[]).map((row) => [row[0], row]))
  return posts.flatMap((post) => {
    const row = rows.get(post.id)
    if (!row || post.author === firstAuthor) return []
    const [, overall, ...probabilities] = row
    const texts = canonicalParts(post.parts)
    const learnt = Object.fromEntries(learntCategories.map((id, index) => [id, probabilities[index] ?? 0]))
    const scores = { ...noScores, ...learnt } as CategoryScores
    const prepared = prepareText(textOf(texts))
    const judged = isPerhapsEnglish(prepared) || isInListedLanguage(prepared)
    const rules = readRules({ texts, authorName }, post.parts)
    return [{ post, opinion: { rules, local: { scores, overall, judged }, judge: 'absent' as const } }]
  })
}
