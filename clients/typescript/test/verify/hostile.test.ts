import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { repoDir } from '../../../../tooling/services/state.ts'
import type { HostileInput } from '../../../../tooling/transparency/hostile-input.ts'
import { verifyPost } from '../../src/verify/index.ts'

const fixtures = join(repoDir, 'test/fixtures/verification')
const bytes = (...path: string[]) => Uint8Array.from(readFileSync(join(fixtures, ...path)))
const textOf = (path: string) => readFileSync(join(fixtures, path), 'utf8')
const { site, log_url, verified_at } = JSON.parse(textOf('cases.json'))
const hostile = JSON.parse(textOf('hostile.json'))

type Body = string | Uint8Array<ArrayBuffer>

/** Answers like a service that publishes a post with this proof, these keys and this current checkpoint. */
const servedFrom = (address: string, files: Record<'proof' | 'keys' | 'checkpoint', Body>) => async (url: string) => {
  if (url === `${log_url}checkpoint`) return new Response(files.checkpoint)
  const inLog = url.startsWith(log_url) && join(fixtures, 'log', url.slice(log_url.length))
  if (inLog) return existsSync(inLog) ? new Response(readFileSync(inLog)) : new Response(null, { status: 404 })
  const found = {
    [`${site}/.well-known/broadside-keys.json`]: files.keys,
    [`${address}.tlog-proof`]: files.proof,
  }[url]
  return new Response(found ?? null, { status: found === undefined ? 404 : 200 })
}

function verifyHostile({ file, from, to, to_hex, seen_logs, ...reader }: HostileInput) {
  const files = {
    'post.json': bytes(hostile.folder, 'post.json'),
    'post.tlog-proof': bytes(hostile.folder, 'post.tlog-proof'),
    'keys.json': Uint8Array.from(Buffer.from(String(hostile.keys))),
    checkpoint: bytes('log/checkpoint'),
  }
  const { url } = JSON.parse(Buffer.from(files['post.json']).toString())
  files[file] = replaced(files[file], from, to_hex === undefined ? Buffer.from(to) : Buffer.from(to_hex, 'hex'))
  const { 'post.json': post, 'post.tlog-proof': proof, 'keys.json': keys, checkpoint } = files
  return verifyPost({
    ...{ post, fetch: servedFrom(url, { proof, keys, checkpoint }), now: new Date(verified_at) },
    seenLogs: (asked: string) => (asked === site ? seen_logs : undefined),
    lastVisit: () => reader.last_visit,
    witnesses: reader.witnesses ?? [],
  })
}

function replaced(whole: Uint8Array, from: string, to: Buffer): Uint8Array<ArrayBuffer> {
  const at = Buffer.from(whole).indexOf(from)
  assert.ok(at >= 0, from)
  return Uint8Array.from(Buffer.concat([whole.subarray(0, at), to, whole.subarray(at + Buffer.byteLength(from))]))
}

for (const one of hostile.inputs as HostileInput[])
  test(`judged by the first fault: ${one.about}`, async () => {
    const { checks } = await verifyHostile(one)
    const failed = checks.find(({ outcome }) => outcome === 'failed')
    const found = [failed?.name ?? null, failed?.code ?? null]
    assert.deepEqual(found, [one.first_failed, one.code], JSON.stringify(checks, null, 2))
  })
