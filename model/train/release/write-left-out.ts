import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { leftOutName } from '../../eval/scoreboard/left-out.ts'
import type { Unseen } from '../fitting/learn-kernel.ts'

/** One line per post, by id: the probability that it breaks any rule, then the probability of each category. */
export function writeLeftOut(directory: string, unseen: readonly Unseen[]): void {
  const lines = unseen
    .filter(({ post }) => post.id !== null)
    .map(({ post, overall, probabilities }) => [
      post.id,
      ...[overall, ...probabilities].map((value) => Number(value.toFixed(4))),
    ])
    .map((row) => JSON.stringify(row))
  writeFileSync(join(directory, leftOutName), `[\n${lines.join(',\n')}\n]\n`)
}
