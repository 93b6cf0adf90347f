import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtempDisposable, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { openCheckpoint, parseVerifierKey } from '../../clients/typescript/src/verify/index.ts'
import { checkTypes, installClient } from '../../tooling/clients/install-client.ts'
import { repoDir } from '../../tooling/services/state.ts'
import { noteSigner, sha256, testKey } from '../../tooling/transparency/test-keys.ts'
import { TestLog } from '../../tooling/transparency/test-log.ts'
import { logSigner, newLog, testKeys } from '../../tooling/transparency/test-posts.ts'

let folder: Awaited<ReturnType<typeof mkdtempDisposable>>
before(async () => {
  folder = await mkdtempDisposable(join(tmpdir(), 'broadside-witness-'))
  await cp(join(repoDir, 'examples/witness'), folder.path, { recursive: true })
  await writeFile(join(folder.path, 'package.json'), '{"type": "module"}')
  await installClient(folder.path)
})
after(() => folder?.remove())

const name = 'witness.example/example'
const key = testKey(0x33)
const vkey = noteSigner(name, key, 4).vkey

/** Starts the example with its state in this folder. */
async function startWitness(state: string) {
  const child = spawn(process.execPath, ['witness.ts'], {
    cwd: folder.path,
    env: {
      WITNESS_NAME: name,
      WITNESS_SEED: key.seed.toString('base64'),
      WITNESS_LOGS: `${logSigner.vkey} ${noteSigner('second.example/log', testKeys.log, 1).vkey}`,
      WITNESS_STATE: join(folder.path, state),
      PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const [printed, url] = [(await lines.next()).value, (await lines.next()).value]
  assert.equal(printed, vkey)
  const post = async (body: string) => {
    const response = await fetch(`${url}add-checkpoint`, { method: 'POST', body })
    return { status: response.status, type: response.headers.get('content-type'), body: await response.text() }
  }
  const stop = async () => {
    child.kill('SIGKILL')
    await once(child, 'close')
  }
  return { url: String(url), post, [Symbol.asyncDispose]: stop }
}

const requestOf = (log: TestLog, old: number, size: number, { proof = log.consistencyProof(old, size) } = {}) =>
  `old ${old}\n${proof.map((hash) => `${hash.toString('base64')}\n`).join('')}\n${log.checkpoint(size)}`

const logOf = (size: number, signer = logSigner, mark = 'entry') => {
  const log = signer === logSigner ? newLog() : new TestLog(signer)
  for (let index = 0; index < size; index++) log.append(`${mark} ${index}`)
  return log
}

test('the example has correct types', () => checkTypes(folder.path, ['witness.ts']))

test('200: a checkpoint that continues the last one is cosigned and served', async () => {
  await using witness = await startWitness('cosigned')
  const log = logOf(40)
  const rules = {
    origin: log.origin,
    logKey: await parseVerifierKey(log.vkey, 'log'),
    witnesses: [await parseVerifierKey(vkey, 'witness')],
    now: new Date(),
  }
  for (const [old, size] of [
    [0, 3],
    [3, 8],
    [8, 40],
    [40, 40],
  ] as const) {
    const { status, body } = await witness.post(requestOf(log, old, size))
    assert.equal(status, 200, body)
    const opened = await openCheckpoint(`${log.checkpoint(size)}${body}`, rules)
    assert.equal(opened.witnesses.length, 1)
  }
  const latest = await fetch(`${witness.url}${sha256(log.origin).toString('hex')}/checkpoint`)
  const opened = await openCheckpoint(await latest.text(), rules)
  assert.deepEqual([opened.size, opened.witnesses.length], [40n, 1])
  const second = await fetch(`${witness.url}${sha256('second.example/log').toString('hex')}/checkpoint`)
  assert.equal(second.status, 404)
})

test('409 and 422: a checkpoint from another size, or of another tree, is refused', async () => {
  await using witness = await startWitness('refused')
  const log = logOf(20)
  const fork = logOf(20, logSigner, 'other')
  assert.equal((await witness.post(requestOf(log, 0, 10))).status, 200)
  for (const old of [0, 5])
    assert.deepEqual(await witness.post(requestOf(log, old, 20)), {
      status: 409,
      type: 'text/x.tlog.size',
      body: '10\n',
    })
  const wrong = [
    requestOf(fork, 10, 20),
    requestOf(fork, 10, 10),
    requestOf(log, 10, 20, { proof: [] }),
    requestOf(log, 10, 20, { proof: [...log.consistencyProof(10, 20), sha256('')] }),
    requestOf(log, 10, 10, { proof: [sha256('')] }),
  ]
  for (const body of wrong) assert.equal((await witness.post(body)).status, 422)
  await using fresh = await startWitness('fresh')
  assert.equal((await fresh.post(requestOf(log, 0, 10, { proof: [sha256('')] }))).status, 422)
  assert.equal((await witness.post(requestOf(log, 10, 20))).status, 200)
})

test('404, 403, 400 and 413: unknown logs, wrong signatures and malformed requests are refused', async () => {
  await using witness = await startWitness('malformed')
  const log = logOf(5)
  const statusOf = async (body: string) => (await witness.post(body)).status
  assert.equal(await statusOf(requestOf(logOf(5, noteSigner('other.example/log', testKeys.log, 1)), 0, 5)), 404)
  assert.equal(await statusOf(requestOf(logOf(5, noteSigner(log.origin, testKeys.forger, 1)), 0, 5)), 403)
  const text = log.checkpointText()
  assert.equal(await statusOf(`old 0\n\n${text}\n${logSigner.signatureLine('other\n')}`), 403)
  const malformed = [
    requestOf(log, 0, 5).replace('old 0', 'old 6'),
    requestOf(log, 0, 5).replace('old 0', 'old 00'),
    requestOf(log, 0, 5).replace('old 0\n', ''),
    requestOf(log, 0, 5, { proof: Array(64).fill(sha256('')) }),
    requestOf(log, 0, 5, { proof: [Buffer.alloc(31)] }),
    log.checkpoint(),
    `old 0\n\n${text}`,
    '',
  ]
  for (const body of malformed) assert.equal(await statusOf(body), 400, body)
  assert.equal(await statusOf(`old 0\n\n${'x'.repeat(70_000)}`), 413)
  assert.equal((await fetch(`${witness.url}add-checkpoint`)).status, 404)
  assert.equal((await fetch(witness.url)).status, 404)
})

test('a restart keeps the state', async () => {
  const log = logOf(20)
  {
    await using witness = await startWitness('kept')
    assert.equal((await witness.post(requestOf(log, 0, 10))).status, 200)
  }
  await using witness = await startWitness('kept')
  assert.deepEqual((await witness.post(requestOf(log, 0, 20))).body, '10\n')
  assert.equal((await witness.post(requestOf(log, 10, 20))).status, 200)
  assert.deepEqual(await readdir(join(folder.path, 'kept')), [sha256(log.origin).toString('hex')])
})

test('of concurrent requests from the same size, one wins', async () => {
  await using witness = await startWitness('concurrent')
  const trees = Array.from({ length: 8 }, (_, at) => logOf(10, logSigner, `tree ${at}`))
  const answers = await Promise.all(trees.map((log) => witness.post(requestOf(log, 0, 10))))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(7).fill(409)])
})
