import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { promisify } from 'node:util'
import { type Verification, type VerifyInput, verifyPost } from '../../clients/typescript/src/verify/index.ts'
import { repoDir } from '../../tooling/services/state.ts'
import type { HostileInput } from '../../tooling/transparency/hostile-inputs.ts'

type Case = { folder: string; last_visit: string | null; log: string }

const fixtures = join(repoDir, 'test/fixtures/verification')
const bytes = (...path: string[]) => Uint8Array.from(readFileSync(join(fixtures, ...path)))
const text = (...path: string[]) => readFileSync(join(fixtures, ...path), 'utf8')
const { cases, site, log_url, verified_at } = JSON.parse(text('cases.json'))
const hostile = JSON.parse(text('hostile.json'))

let inPython: { cases: Record<string, unknown>; hostile: Record<string, unknown> }
before(async () => {
  const { stdout } = await promisify(execFile)(
    process.env['PYTHON'] ?? '/usr/bin/python3',
    ['-m', 'tests.verify.print_checks'],
    {
      cwd: join(repoDir, 'clients/python'),
      env: { ...process.env, PYTHONPATH: 'src', PYTHONDONTWRITEBYTECODE: '1' },
      maxBuffer: 8 * 2 ** 20,
    },
  )
  inPython = JSON.parse(stdout)
})

/** Answers like a service that publishes a post with this proof, these keys and this log. */
const servedFrom = (address: string, files: { proof: string; keys: string; log: string }) => async (url: string) => {
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

function verifyHostile({ file, from, to, seen_logs }: HostileInput) {
  const [post, proof] = ['post.json', 'post.tlog-proof'].map((name) => text(hostile.folder, name)) as [string, string]
  const files = { 'post.json': post, 'post.tlog-proof': proof, 'keys.json': String(hostile.keys) }
  assert.ok(files[file].includes(from))
  files[file] = files[file].replace(from, () => to)
  const fetch = servedFrom(JSON.parse(post).url, {
    proof: files['post.tlog-proof'],
    keys: files['keys.json'],
    log: 'log',
  })
  const seenLogs = (asked: string) => (asked === site ? seen_logs : undefined)
  return verify({ post: files['post.json'], fetch, seenLogs })
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

test('both clients have the same texts for every refusal', () => {
  const typescript = readFileSync(join(repoDir, 'clients/typescript/src/verify/refusal.ts'), 'utf8')
  const python = readFileSync(join(repoDir, 'clients/python/src/broadside/_verify/refusal.py'), 'utf8')
  const texts = (source: string, form: RegExp) => [...source.matchAll(form)].map(([, code, text]) => [code, text])
  const expected = texts(typescript, /^ {2}(\w+): '(.*)',$/gm)
  assert.ok(expected.length > 40)
  assert.deepEqual(texts(python, /^ {4}"(\w+)": "(.*)",$/gm), expected)
})
