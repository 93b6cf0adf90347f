import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isInListedLanguage, isPerhapsEnglish } from '../../src/model-server/local/language.ts'
import { learntCategories } from '../../src/model-server/local/local-model.ts'
import { prepareText } from '../../src/model-server/local/prepare-text.ts'
import { canonicalParts } from '../../src/moderation/canonicalise.ts'
import { readRules } from '../../src/moderation/judge-in-stages.ts'
import type { CategoryScores } from '../../src/moderation/opinion.ts'
import { repoDir } from '../services/state.ts'
import { leftOutName } from '../train/write-left-out.ts'
import { authorName, noScores, type Observed, textOf } from './observe.ts'
import { type EvalPost, firstAuthor } from './read-set.ts'

type Row = [id: string, overall: number, ...probabilities: number[]]

/**
 * The open posts as models see them that have not seen their author, as training left it beside the weights. The first
 * author's are left out: the categories were learnt from them.
 */
export function observeLeftOut(
  posts: readonly EvalPost[],
  directory = join(repoDir, 'models/local'),
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
