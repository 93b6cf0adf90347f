import { readOptions, wholeNumber } from '../../../tooling/script-options.ts'
import { restoreDrill } from './restore.ts'

/** Prints one line of JSON. The exit code is 1 if a guarantee is broken, 2 if an option is invalid. */
export async function run(args: readonly string[]): Promise<void> {
  const { posts } = readOptions(args, { posts: wholeNumber(100_000, { max: 10_000_000 }) })
  const { broken, ...figures } = await restoreDrill({ posts })
  console.log(JSON.stringify({ drill: 'restore', ...figures, broken }))
  if (broken.length > 0) process.exitCode = 1
}
