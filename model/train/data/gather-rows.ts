import { keyOf } from '../../eval/data/outside-sets.ts'
import { readCommitted, readLabels, readPolicyExamples } from './own-rows.ts'
import type { Row } from './rows.ts'
import { openai } from './sources/openai.ts'
import { writePosts } from './templates/write-posts.ts'
import { readThirdParty } from './third-party-rows.ts'

export type DataOptions = { data: string; labels?: string | undefined; seed: number }

/**
 * All rows except the benchmark's, without duplicates. The project's own rows come first, so that their labels take
 * precedence.
 */
export function gatherRows({ data, labels, seed }: DataOptions): Row[] {
  const own = [...(labels ? readLabels(labels) : []), ...readCommitted(), ...readPolicyExamples(), ...writePosts(seed)]
  const seen = new Set<string>()
  return [...own, ...readThirdParty(data, seed)].filter(({ text }) => {
    const key = keyOf(text)
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

/** The rows of OpenAI's benchmark. The shipped weights are trained on them; the measured weights are not. */
export const gatherBenchmarkRows = (data: string): Row[] =>
  openai.read(data).map((row) => ({ ...row, source: openai.name }))
