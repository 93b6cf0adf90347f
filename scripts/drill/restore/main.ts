import { parseArgs } from 'node:util'
import { restoreDrill } from './restore.ts'

const mostPosts = 10_000_000

/** Prints one line of JSON. The exit code is 1 if a guarantee is broken, 2 if an option is invalid. */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { posts: { type: 'string', default: '100000' } } })
  const posts = Number(values.posts)
  if (!Number.isInteger(posts) || posts < 1 || posts > mostPosts) {
    console.error('--posts must be a whole number from 1 to 10,000,000.')
    process.exitCode = 2
    return
  }
  const { broken, ...figures } = await restoreDrill({ posts })
  console.log(JSON.stringify({ drill: 'restore', ...figures, broken }))
  if (broken.length > 0) process.exitCode = 1
}
