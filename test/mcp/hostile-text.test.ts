import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { MountedHandler } from '../../src/calls/mounted-handler.ts'
import type { Call } from '../../src/contract/call.ts'
import { type Kind, kinds } from '../../src/kinds/index.ts'
import { mountCommonMcp, mountMcp } from '../../src/mcp/http-adapter.ts'
import { operationsOf } from '../../src/operations.ts'
import { injections } from '../../tooling/fixtures/injections.ts'
import { type Era, eras } from '../support/mcp/mcp-client.ts'
import { labelled, readOneMessage, written } from '../support/mcp/raw-mcp.ts'
import { hostileText } from '../support/posts/hostile-text.ts'
import { shownPost, siteOfKind } from '../support/posts/public-posts.ts'

test('for every text, a response is one message with one block, and reads the same', async () => {
  const kind = kinds[0] as Kind
  const { baseUrl } = siteOfKind(kind)
  let post = shownPost(kind)
  const answers: Record<string, () => unknown> = {
    getPost: () => post,
    browsePosts: () => ({ data: [post, post], next_cursor: null, content_trust: 'untrusted-user-content' }),
  }
  const operations = operationsOf(kind).map((operation) => {
    const body = answers[operation.id]
    return body ? { ...operation, handle: async () => body() } : operation
  })
  const sites = [{ kind, baseUrl, operations }]
  const ofSite = mountMcp(sites, {})
  const common = mountCommonMcp({ sites, allowances: {}, accountPageUrl: 'https://owners.broadside.example' })
  const baseUrls = { [kind.name]: baseUrl }
  const call = { requestId: 'request', site: kind.name, baseUrl, baseUrls } as Partial<Call> as Call
  const read = async (door: MountedHandler, era: Era, name: string, given: object) => {
    const { headers, body } = written(era, { method: 'tools/call', params: { name, arguments: given } })
    const answer = await door.answer(call, { headers, body: Buffer.from(body) }, {})
    return labelled(await readOneMessage(answer instanceof Response ? answer : new Response(answer.body, answer)))
  }
  const anyText = fc.oneof(hostileText, fc.json(), fc.constantFrom(...Object.values(injections)))
  await fc.assert(
    fc.asyncProperty(anyText, anyText, async (text, authorName) => {
      post = shownPost(kind, { content: { text }, authorName })
      for (const era of eras) {
        assert.deepEqual(await read(ofSite, era, 'get_post', { id: post.id }), post)
        const page = answers['browsePosts']?.()
        assert.deepEqual(await read(ofSite, era, 'browse_posts', {}), page)
        assert.deepEqual(await read(common, era, 'browse_posts', { kind: kind.name }), page)
      }
    }),
    { numRuns: 100 },
  )
})
