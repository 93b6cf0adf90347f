import { decimal, readOptions, wholeNumber } from '../../../tooling/script-options.ts'
import { compare, load, printTable } from './harness.ts'
import { makeMessage, openService } from './service.ts'

/** The platform accepts this many requests a second. */
const ceilingPerSecond = 100

export async function benchSubmit(args: string[]): Promise<void> {
  const options = { seconds: decimal(8), rounds: wholeNumber(3), posts: wholeNumber(1_000_000) }
  const { seconds, rounds, posts } = readOptions(args, options)
  await using few = await openService(1_000)
  await using many = await openService(posts)
  const submit = (service: typeof few) => async () =>
    void (await service.call('/v1/posts', { body: makeMessage(), status: 202 }))
  const names = ['1,000 posts stored', `${posts.toLocaleString('en')} posts stored`] as const
  await compare('submissions a second', rounds, {
    [names[0]]: async () => (await load({ seconds }, submit(few))).perSecond,
    [names[1]]: async () => (await load({ seconds }, submit(many))).perSecond,
  })
  const paced = { seconds: seconds * 2, perSecond: ceilingPerSecond }
  printTable(`milliseconds at ${ceilingPerSecond} submissions a second; bar: p99 of 15`, {
    [names[0]]: await load(paced, submit(few)),
    [names[1]]: await load(paced, submit(many)),
  })
}
