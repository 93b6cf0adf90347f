import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fixtureFiles, fixtureFolder } from '../../../../tooling/transparency/fixture-files.ts'
import { type VerifyInput, verifyPost } from '../../src/verify/index.ts'

const root = join(import.meta.dirname, '../../../..', fixtureFolder)
const bytes = (path: string) => Uint8Array.from(readFileSync(join(root, path)))
const { cases, ...facts } = JSON.parse(readFileSync(join(root, 'cases.json'), 'utf8'))

/** Answers with the files of a log. */
const servedFrom = (log: string) => async (url: string) => {
  assert.ok(url.startsWith(facts.log_url), url)
  try {
    return new Response(bytes(`${log}/${url.slice(facts.log_url.length)}`))
  } catch {
    return new Response(null, { status: 404 })
  }
}

const inputOf = ({ folder, log, last_visit }: Record<string, string>): VerifyInput => ({
  post: bytes(`${folder}/post.json`),
  proof: bytes(`${folder}/post.tlog-proof`),
  keys: bytes('keys.json'),
  lastVisit: () => (last_visit ? readFileSync(join(root, `${folder}/${last_visit}`), 'utf8') : undefined),
  fetch: servedFrom(String(log)),
  now: new Date(facts.verified_at),
})

test('the committed posts are those that the generator writes', () => {
  for (const [path, content] of fixtureFiles()) assert.ok(content.equals(readFileSync(join(root, path))), path)
})

for (const each of cases)
  test(`${each.folder}: ${each.about}`, async () => {
    const { isVerified, checks, checkpoint } = await verifyPost(inputOf(each))
    const failed = checks.find(({ outcome }) => outcome === 'failed')
    assert.deepEqual(
      { isVerified, name: failed?.name ?? null, code: failed?.code ?? null },
      { isVerified: each.is_verified, name: each.first_failed, code: each.code },
      JSON.stringify(checks, null, 2),
    )
    const current = readFileSync(join(root, 'log/checkpoint'), 'utf8')
    assert.deepEqual(checkpoint, each.is_verified ? { origin: 'posts.example/log', note: current } : undefined)
  })
