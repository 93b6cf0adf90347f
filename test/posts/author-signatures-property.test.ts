import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { kinds } from '../../src/kinds/index.ts'
import { checkSignature } from '../../src/posts/author-signature.ts'
import { startService } from '../../tooling/environment/service.ts'
import { times } from '../../tooling/test-length.ts'
import { seedListedPost } from '../support/posts/create-post.ts'
import { nearbyBodies } from '../support/posts/nearby-bodies.ts'
import { isSignedByAuthor, newSigner, type SignedJson } from '../support/posts/signer.ts'

test('a signature of any valid content is accepted, and the published JSON proves it', async () => {
  await using service = await startService()
  const account = await service.createAccount()
  const accountId = account.id
  const signer = newSigner()
  await signer.register(service, account)
  for (const kind of kinds) {
    let accepted = 0
    const members = Object.keys(kind.content.shape)
    const bodies = fc.oneof(...kind.examples.map((example) => nearbyBodies(example, members)))
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const { data: content } = kind.body.safeParse(body)
        if (!content) return
        accepted++
        const claim = { accountId, kind, content, signature: signer.sign(kind, body) }
        const stored = await checkSignature(service.db, claim)
        const id = await seedListedPost(service, { kind, body, publishedAt: service.clock.now(), accountId })
        await service.asOwner('update posts set author_signature = $2 where id = $1', [id, stored])
        const { body: shown } = await service.client(undefined, kind.name).getPost(id)
        assert.ok(isSignedByAuthor(shown as unknown as SignedJson), JSON.stringify(shown))
      }),
      { numRuns: times({ whole: 300, short: 60 }) },
    )
    assert.ok(accepted > 5, `only ${accepted} bodies of ${kind.name} were valid`)
  }
})
