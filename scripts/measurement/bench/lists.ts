import { readOptions, wholeNumber } from '../../../tooling/script-options.ts'
import { compare, percentilesOf, timed } from './harness.ts'
import { openService } from './service.ts'

/** The filters of `GET /v1/posts` on the site of messages. */
const filters = ['', 'topic=weather', 'country=US', 'topic=weather&country=US', 'topic=no-such-topic-at-all']
const requests = 50

export async function benchLists(args: string[]): Promise<void> {
  const { posts, rounds } = readOptions(args, { posts: wholeNumber(300_000), rounds: wholeNumber(3) })
  await using few = await openService(1_000)
  await using many = await openService(posts)
  for (const filter of filters) {
    const list = (service: typeof few) => async () => {
      const times = []
      for (let number = 0; number < requests; number++)
        times.push(await timed(() => service.call(`/v1/posts?${filter}`)))
      return percentilesOf(times).p95
    }
    await compare(`GET /v1/posts?${filter}, p95 in milliseconds`, rounds, {
      '1,000 posts stored': list(few),
      [`${posts.toLocaleString('en')} posts stored`]: list(many),
    })
  }
}
