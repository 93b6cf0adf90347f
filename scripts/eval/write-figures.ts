import { findBenchmarks } from './benchmarks.ts'
import { type Basis, mergeScoreboard, readScoreboard, type Scoreboard, writeScoreboard } from './scoreboard.ts'
import { Misuse } from './usage.ts'
import { writeDocument } from './write-document.ts'

/**
 * Adds figures, and those on public sets that stand beside the weights, to generated/moderation-scoreboard.json, and
 * prints all of them into docs/moderation.md.
 */
export function writeFigures(fresh: Partial<Scoreboard>, basis: Basis & { set_hash: string }): void {
  const merged = mergeScoreboard({ ...fresh, benchmarks: findBenchmarks() }, readScoreboard(), basis)
  if (!merged)
    throw new Misuse('There is no scoreboard of this model and set: run `npm run eval -- moderation --write`.')
  writeScoreboard(merged.scoreboard)
  writeDocument(merged.scoreboard)
  console.log('\nWritten: generated/moderation-scoreboard.json and docs/moderation.md.')
  for (const name of merged.dropped)
    console.log(`Dropped, because they were about something else: ${name}. Run \`npm run eval -- ${name} --write\`.`)
}
