import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  forgedHistory,
  forgedLogLists,
  forgedNotes,
  forgedProofs,
} from '../../../../tooling/transparency/forged-logs.ts'
import { forgedJson, forgedKeys, forgedSignatures } from '../../../../tooling/transparency/forged-posts.ts'
import type { Forgery } from '../../../../tooling/transparency/forgery.ts'
import { type Genuine, genuinePosts, ordinaryPost } from '../../../../tooling/transparency/genuine-posts.ts'
import { logUrl, signedPart, site, testKeys, verifiedAt } from '../../../../tooling/transparency/test-posts.ts'
import { type Verification, verifyPost } from '../../src/verify/index.ts'

const genuine = ordinaryPost()
const makers = [forgedJson, forgedSignatures, forgedKeys, forgedProofs, forgedNotes, forgedLogLists, forgedHistory]
const forgeries: readonly Forgery[] = makers.flatMap((make) => make(genuine))

/** Verifies a post with what its site and its log serve. */
function verify({ source, post, proof, keys, file, lastVisit, seenLogs, address }: Genuine): Promise<Verification> {
  const served = (url: string) => {
    if (url.startsWith(logUrl)) return file(url.slice(logUrl.length))
    return { [`${site}/.well-known/broadside-keys.json`]: keys, [`${source.url}.tlog-proof`]: proof }[url]
  }
  return verifyPost({
    ...{ post: Uint8Array.from(post), now: verifiedAt, ...(address && { address }) },
    ...{ lastVisit: () => lastVisit, seenLogs: (asked) => (asked === site ? seenLogs : undefined) },
    fetch: async (url) => {
      const found = served(url)
      return new Response(found ? Uint8Array.from(found) : null, { status: found ? 200 : 404 })
    },
  })
}

for (const one of genuinePosts())
  test(`verified: ${one.about}`, async () => {
    const { isVerified, checks, checkpoint } = await verify(one)
    assert.ok(isVerified, JSON.stringify(checks, null, 2))
    assert.deepEqual(checkpoint, { origin: one.log.origin, note: one.log.checkpoint() })
  })

for (const { about, check, code, changes } of forgeries)
  test(`${check ? 'refused' : 'verified'}: ${about}`, async () => {
    const { isVerified, checks, checkpoint } = await verify({ ...genuine, ...changes })
    const failed = checks.find(({ outcome }) => outcome === 'failed')
    const found = [isVerified, failed?.name ?? null, failed?.code ?? null]
    assert.deepEqual(found, [check === null, check, code], JSON.stringify(checks, null, 2))
    assert.equal(checkpoint === undefined, check !== null)
  })

test('every reason to refuse has a forgery, or a test of its own', () => {
  const source = readFileSync(new URL('../../src/verify/refusal.ts', import.meta.url), 'utf8')
  const codes = [...source.matchAll(/^ {2}(\w+): '/gm)].map(([, code = '']) => code)
  assert.ok(codes.length > 40)
  const elsewhere = [
    'json_not_serializable',
    'tile_path',
    'bundle_malformed',
    'entry_not_in_tile',
    'unavailable',
    'proof_missing',
  ]
  const tested = new Set([...elsewhere, ...forgeries.map(({ code }) => code)])
  assert.deepEqual(
    codes.filter((code) => !tested.has(code)),
    [],
  )
})

test('only what was verified of a post is returned, with what is known about it', async () => {
  const { post, facts } = await verify(genuine)
  assert.deepEqual(post, signedPart(genuine.source))
  assert.partialDeepStrictEqual(facts, {
    ...{ url: genuine.source.url, site, areKeysFromSite: true, publishedAt: genuine.source.published_at },
    ...{ keyId: testKeys.posts.thumbprint, isFirstVisit: false },
  })
  const forged = await verify({ ...genuine, ...forgeries.find(({ about }) => about === 'a changed text')?.changes })
  assert.deepEqual([forged.post, forged.facts], [undefined, undefined])
})
