import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Account, Broadside, PostStatus, PublicPost } from '../src/index.ts'
import { BroadsideProblem, InsufficientBalanceError, isProblem } from '../src/index.ts'

type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false
const holds = <Claim extends true>(): Claim | undefined => undefined

/** Only compiled: `npm run check` fails if a line below a ts-expect-error has no error. */
export async function compiled(broadside: Broadside, error: unknown): Promise<void> {
  const message = { text: 'a' }
  await broadside.publish('message', message)
  // @ts-expect-error A message has no title.
  await broadside.publish('message', { text: 'a', title: 'b' })
  // @ts-expect-error A story needs a body.
  await broadside.publish('story', { title: 'a' })
  // @ts-expect-error This is not a category.
  await broadside.check('classified', { title: 'a', body: 'b', category: 'boats' })
  // @ts-expect-error There is no such kind.
  await broadside.publish('poem', message)
  // @ts-expect-error A message cannot become a story by an edit.
  await broadside.edit('message', 'post_1', { body: 'a' })
  // @ts-expect-error Path parameters are given by position.
  await broadside.getPost({ id: 'post_1' })
  // @ts-expect-error Messages have no category.
  broadside.posts('message', { category: 'free' })
  // @ts-expect-error Events have no currency.
  broadside.stream({ kind: 'event', currency: 'EUR' })
  // @ts-expect-error Your own events have no filters.
  broadside.stream({ scope: 'mine', country: 'PT' })

  holds<Same<Awaited<ReturnType<typeof broadside.getAccount>>, Account>>()
  const { body, requestId } = await broadside.withResponse.getAccount()
  holds<Same<typeof body, Account>>()
  holds<Same<typeof requestId, string | null>>()
  for await (const post of broadside.posts('event')) holds<Same<typeof post, PublicPost['event']>>()
  const decided = await broadside.waitForDecision(await broadside.publish('message', message))
  holds<Same<typeof decided, PostStatus>>()

  for await (const event of broadside.stream({ kind: 'classified' })) {
    if (event.type === 'post.removed') holds<Same<typeof event.data.removed_at, string>>()
    else holds<Same<typeof event.data, PublicPost['classified']>>()
  }
  for await (const event of broadside.stream({ kind: 'all' }))
    if (event.type === 'post.published' && event.data.kind === 'message')
      holds<Same<typeof event.data.content.text, string>>()
  const read = await broadside.read('post_1')
  if (read.kind === 'story') holds<Same<typeof read.content.title, string>>()

  if (error instanceof InsufficientBalanceError) holds<Same<typeof error.code, 'insufficient_balance'>>()
  if (isProblem(error, 'rate_limited', 'post_gone')) holds<Same<typeof error.code, 'rate_limited' | 'post_gone'>>()
  // @ts-expect-error There is no such code.
  isProblem(error, 'out_of_ink')
}

test('the type of a problem class is its instance', () => {
  assert.ok(InsufficientBalanceError.prototype instanceof BroadsideProblem)
})
