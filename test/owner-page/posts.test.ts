import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { upholdAppeal } from '../../src/moderation/appeals/settle-appeal.ts'
import { type Owner, openOwner } from '../../tooling/clients/owner.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { kindNamed, type PostSeed, seedPost } from '../support/posts/create-post.ts'

let service: Service
before(async () => {
  service = await startService({ judges: true })
})
after(() => service?.[Symbol.asyncDispose]())

const read = async (owner: Owner, path: string) => (await owner.get(path)).text()

async function submit({ client }: Awaited<ReturnType<Service['createCustomer']>>, text: string): Promise<string> {
  const { body } = await client.submitPost({ text })
  assert.ok('id' in body)
  await service.settle()
  return body.id
}
const uphold = (postId: string) =>
  service.asOperator((tx, sites) =>
    upholdAppeal(tx, sites, { postId, actor: 'operator:test', at: service.clock.now() }),
  )

test('the owner sees strikes on the overview, and a reversed rejection as reversed on every page', async () => {
  const account = await service.createCustomer(10_000_000)
  const owner = await openOwner(service, account.id)
  const page = (path: string) => read(owner, path)
  const first = await submit(account, 'verdict-reject-spam: the slipway opens at eight')
  assert.match(await page('/account'), /1 of 3 strikes<\/h2>\s*<p>Two more abusive posts ban this account\./)
  await submit(account, 'verdict-reject-spam: a lantern walk along the harbour')
  assert.match(await page('/account'), /2 of 3 strikes<\/h2>\s*<p>One more abusive post bans this account\./)
  await account.client.appealPost(first, { message: 'This quotes a flyer.' })
  await uphold(first)
  assert.match(await page('/account/posts'), /rejection reversed<\/span>.*your agent can send it again\./)
  assert.match(await page('/account/charges'), /<span class="under">rejection reversed<\/span>/)
  const shown = await page(`/account/posts/${first}`)
  assert.match(shown, /<dt>Status<\/dt><dd><span class="badge">rejection reversed</)
  assert.match(shown, /Decision reversed.*The fee and any penalty were refunded, and any strike was removed\./s)
  assert.match(shown, /<div class="notice good"><h3>Appeal upheld/)
})

test('posts are filtered by status, and an unknown filter shows all', async () => {
  const accountId = (await service.createCustomer()).id
  const owner = await openOwner(service, accountId)
  const seed = (status: PostSeed['status']) => seedPost(service, kindNamed('message'), { accountId, status })
  const posts = {
    published: await seed('published'),
    review: await seed('review'),
    rejected: await seed('rejected'),
    removed: await seed('removed'),
  }
  const listed = async (query: string) =>
    new Set(
      [...(await read(owner, `/account/posts${query}`)).matchAll(/\/account\/posts\/(post_\w+)/g)].map(([, id]) => id),
    )
  const all = await listed('')
  assert.deepEqual(all, new Set(Object.values(posts)))
  assert.deepEqual(await listed('?show=review'), new Set([posts.review]))
  assert.deepEqual(await listed('?show=rejected'), new Set([posts.rejected, posts.removed]))
  for (const unknown of ['?show=weather', '?show=constructor']) assert.deepEqual(await listed(unknown), all)
  assert.match(await read(owner, '/account/posts?show=review'), /show&#61;review" aria-current="true">In review</)
})
