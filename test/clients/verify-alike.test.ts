import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { promisify } from 'node:util'
import { type Verification, type VerifyInput, verifyPost } from '../../clients/typescript/src/verify/index.ts'
import { genuineLog, inputOf, verifyGenuine } from '../../clients/typescript/test/verify/tampering/genuine.ts'
import { tamperingWithLogs } from '../../clients/typescript/test/verify/tampering/with-logs.ts'
import { tamperingWithNotes } from '../../clients/typescript/test/verify/tampering/with-notes.ts'
import { tamperingWithPosts } from '../../clients/typescript/test/verify/tampering/with-posts.ts'
import { repoDir } from '../../tooling/services/state.ts'
import type { HostileInput } from '../../tooling/transparency/hostile-input.ts'

type Case = { folder: string; last_visit: string | null; log: string }

const fixtures = join(repoDir, 'test/fixtures/verification')
const bytes = (...path: string[]) => Uint8Array.from(readFileSync(join(fixtures, ...path)))
const text = (...path: string[]) => readFileSync(join(fixtures, ...path), 'utf8')
const { cases, site, log_url, verified_at } = JSON.parse(text('cases.json'))
const hostile = JSON.parse(text('hostile.json'))

const { fresh } = genuineLog(1_000)
const tampered = [...tamperingWithPosts, ...tamperingWithNotes, ...tamperingWithLogs]

let inPython: Record<'cases' | 'hostile' | 'tampered', Record<string, unknown>>
const inTypeScript = new Map<string, Verification>()
before(async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'broadside-tampered-'))
  const path = join(folder.path, 'tampered.json')
  const inputs = []
  for (const { name, tamper } of tampered) {
    const genuine = fresh()
    tamper(genuine)
    const { file } = genuine
    const files: Record<string, string> = {}
    genuine.file = (asked) => {
      const found = file(asked)
      if (found) files[asked] = found.toString('base64')
      return found
    }
    inTypeScript.set(name, await verifyGenuine(genuine))
    const { post, keys, proof } = inputOf(genuine)
    inputs.push({
      ...{ name, files, address: genuine.address ?? null, witnesses: genuine.witnesses },
      ...{ post: base64(post), keys: base64(keys ?? ''), proof: base64(proof ?? '') },
      ...{ last_visit: genuine.lastVisit, now: genuine.now.getTime() / 1_000 },
    })
  }
  await writeFile(path, JSON.stringify(inputs))
  const { stdout } = await promisify(execFile)(
    process.env['PYTHON'] ?? '/usr/bin/python3',
    ['-m', 'tests.verify.print_checks', path],
    {
      cwd: join(repoDir, 'clients/python'),
      env: { ...process.env, PYTHONPATH: 'src', PYTHONDONTWRITEBYTECODE: '1' },
      maxBuffer: 8 * 2 ** 20,
    },
  )
  inPython = JSON.parse(stdout)
})
const base64 = (data: string | Uint8Array) => Buffer.from(data).toString('base64')

type Body = string | Uint8Array<ArrayBuffer>
type ServedFiles = { proof: Body; keys: Body; log: string; checkpoint?: Body }

/** Answers like a service that publishes a post with this proof, these keys and this log. */
const servedFrom = (address: string, files: ServedFiles) => async (url: string) => {
  if (files.checkpoint && url === `${log_url}checkpoint`) return new Response(files.checkpoint)
  const inLog = url.startsWith(log_url) && join(fixtures, files.log, url.slice(log_url.length))
  if (inLog) return existsSync(inLog) ? new Response(readFileSync(inLog)) : new Response(null, { status: 404 })
  const found = {
    [`${site}/.well-known/broadside-keys.json`]: files.keys,
    [`${address}.tlog-proof`]: files.proof,
  }[url]
  return new Response(found ?? null, { status: found === undefined ? 404 : 200 })
}

const verify = (input: Omit<VerifyInput, 'now'>): Promise<Verification> =>
  verifyPost({ ...input, now: new Date(verified_at) })
const printed = ({ checks }: Verification) => checks.map(({ code = null, ...check }) => ({ ...check, code }))

function verifyCase({ folder, last_visit, log }: Case) {
  const post = bytes(folder, 'post.json')
  const address = JSON.parse(Buffer.from(post).toString()).url
  const fetch = servedFrom(address, { proof: text(folder, 'post.tlog-proof'), keys: text('keys.json'), log })
  return verify({ post, address, fetch, lastVisit: () => (last_visit ? text(folder, last_visit) : undefined) })
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
  const fetch = servedFrom(url, { proof, keys, checkpoint, log: 'log' })
  const seenLogs = (asked: string) => (asked === site ? seen_logs : undefined)
  return verify({
    ...{ post, fetch, seenLogs, lastVisit: () => reader.last_visit },
    ...{ witnesses: reader.witnesses ?? [], ...(reader.author_key && { authorKey: reader.author_key }) },
  })
}

function replaced(whole: Uint8Array, from: string, to: Buffer): Uint8Array<ArrayBuffer> {
  const at = Buffer.from(whole).indexOf(from)
  assert.ok(at >= 0, from)
  return Uint8Array.from(Buffer.concat([whole.subarray(0, at), to, whole.subarray(at + Buffer.byteLength(from))]))
}

test('both clients say the same about every genuine and forged post, word for word', async () => {
  for (const one of cases as Case[])
    assert.deepEqual(inPython.cases[one.folder], printed(await verifyCase(one)), one.folder)
  assert.equal(Object.keys(inPython.cases).length, cases.length)
})

for (const one of hostile.inputs as HostileInput[])
  test(`both clients say the same about ${one.about}`, async () => {
    const checks = printed(await verifyHostile(one))
    const failed = checks.find(({ outcome }) => outcome === 'failed')
    const found = [failed?.name ?? null, failed?.code ?? null]
    assert.deepEqual(found, [one.first_failed, one.code], JSON.stringify(checks, null, 2))
    assert.deepEqual(inPython.hostile[one.about], checks)
  })

for (const { name } of tampered)
  test(`both clients refuse the same: ${name}`, () => {
    const found = inTypeScript.get(name)
    assert.deepEqual(inPython.tampered[name], found && printed(found))
  })

test('both clients have the same texts for every refusal', () => {
  const typescript = readFileSync(join(repoDir, 'clients/typescript/src/verify/refusal.ts'), 'utf8')
  const python = readFileSync(join(repoDir, 'clients/python/src/broadside/_verify/refusal.py'), 'utf8')
  const texts = (source: string, form: RegExp) => [...source.matchAll(form)].map(([, code, text]) => [code, text])
  const expected = texts(typescript, /^ {2}(\w+): '(.*)',$/gm)
  assert.ok(expected.length > 40)
  assert.deepEqual(texts(python, /^ {4}"(\w+)": "(.*)",$/gm), expected)
})
