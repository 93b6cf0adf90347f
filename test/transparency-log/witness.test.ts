import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash, randomBytes, sign } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdtemp, mkdtempDisposable, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text as readText } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { openCheckpoint, parseVerifierKey as readLogKey } from '../../clients/typescript/src/verify/index.ts'
import { privateKeyFromSeed, publicBytesOf } from '../../src/platform/ed25519.ts'
import { parseVerifierKey } from '../../src/transparency-log/notes.ts'
import { proofFile } from '../../src/transparency-log/proof-file.ts'
import { advanceLog } from '../../src/transparency-log/start-log.ts'
import type { WitnessMemory } from '../../src/transparency-log/witnesses.ts'
import { installClient } from '../../tooling/clients/install-client.ts'
import { repoDir } from '../../tooling/services/state.ts'
import { headOf, keepState, logOrigin, queueEntries, startTestLog, type TestLog } from '../support/transparency-log.ts'

let program: Awaited<ReturnType<typeof mkdtempDisposable>>
before(async () => {
  program = await mkdtempDisposable(join(tmpdir(), 'broadside-witness-'))
  await cp(join(repoDir, 'examples/witness'), program.path, { recursive: true })
  await writeFile(join(program.path, 'package.json'), '{"type": "module"}')
  await installClient(program.path)
})
after(() => program?.remove())

/** The witness of examples/witness/, as a process of its own. */
async function startWitness(stack: AsyncDisposableStack, { log }: TestLog) {
  const folder = await mkdtemp(join(tmpdir(), 'broadside-witness-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const child = spawn(process.execPath, ['witness.ts'], {
    cwd: program.path,
    env: {
      ...process.env,
      WITNESS_NAME: 'witness.example/w1',
      WITNESS_SEED: randomBytes(32).toString('base64'),
      WITNESS_LOGS: log.signer.verifierKey,
      WITNESS_STATE: folder,
      PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  stack.defer(() => void child.kill())
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const verifierKey = String((await lines.next()).value)
  const url = /http:\S+/.exec(String((await lines.next()).value))?.[0] ?? ''
  return { key: parseVerifierKey(verifierKey), verifierKey, url }
}

async function cosignersOf({ log }: TestLog, verifierKey: string) {
  const note = (await log.store.read('checkpoint'))?.toString() ?? ''
  const opened = await openCheckpoint(note, {
    origin: logOrigin,
    logKey: await readLogKey(log.signer.verifierKey, 'log'),
    witnesses: [await readLogKey(verifierKey, 'witness')],
    now: new Date(),
  })
  return { size: Number(opened.size), witnesses: opened.witnesses.map(({ name }) => name) }
}

test('the example witness cosigns every checkpoint, and a log without it goes on', async () => {
  await using stack = new AsyncDisposableStack()
  const own = stack.use(await startTestLog())
  const witness = await startWitness(stack, own)
  await own.log.db.insertInto('log_witnesses').values(rowOf(witness)).execute()
  const log = own.open([witness])
  for (const count of [1, 300, 7]) {
    await queueEntries(log.db, count)
    await advanceLog(log)
  }
  assert.deepEqual(await cosignersOf(own, witness.verifierKey), { size: 308, witnesses: ['witness.example/w1'] })
  const away = own.open([{ ...witness, url: 'http://127.0.0.1:9/' }])
  await queueEntries(log.db, 1)
  await advanceLog(away)
  assert.deepEqual(await cosignersOf(own, witness.verifierKey), { size: 309, witnesses: [] })
  assert.match(own.lines.join(''), /a witness does not answer/)
  await queueEntries(log.db, 1)
  await advanceLog(log)
  assert.deepEqual(await cosignersOf(own, witness.verifierKey), { size: 310, witnesses: ['witness.example/w1'] })
})

const rowOf = ({ key, verifierKey, url }: Awaited<ReturnType<typeof startWitness>>) => ({
  name: key.name,
  verifier_key: verifierKey,
  url,
})

/** A process that asked the witnesses before the restore, and did not notice that the log has gone back. */
const unaware = (): WitnessMemory => ({ agreed: new Set(['witness.example/w1']) })

for (const [what, entries, memory, reason] of [
  ['before anything is signed', 5, {}, 'witness_ahead'],
  ['fewer entries', 5, unaware(), 'witness_ahead'],
  ['as many other entries', 20, unaware(), 'witness_refuses'],
  ['more entries that do not continue the old ones', 40, unaware(), 'witness_refuses'],
] as const)
  test(`a database and files restored together are noticed by the witness: ${what}`, async () => {
    await using stack = new AsyncDisposableStack()
    const own = stack.use(await startTestLog())
    const witness = await startWitness(stack, own)
    await own.log.db.insertInto('log_witnesses').values(rowOf(witness)).execute()
    const log = own.open([witness])
    await queueEntries(log.db, 10)
    await advanceLog(log)
    const restore = await keepState(own)
    await cp(own.directory, `${own.directory}-kept`, { recursive: true })
    await queueEntries(log.db, 20)
    await advanceLog(log)
    await restore()
    await rm(own.directory, { recursive: true })
    await cp(`${own.directory}-kept`, own.directory, { recursive: true })
    await rm(`${own.directory}-kept`, { recursive: true })
    await queueEntries(log.db, entries)
    await advanceLog(log, memory)
    const head = await headOf(log.db)
    assert.equal(head.stoppedReason, reason)
    if (!('agreed' in memory)) assert.equal(head.size, 10, 'the log has signed nothing')
    // No reader sees the fork: the checkpoint was not published.
    assert.equal((await cosignersOf(own, witness.verifierKey)).size, 10)
  })

test('a witness that answers nonsense is left out, and its clock must be right', async () => {
  await using own = await startTestLog()
  const privateKey = privateKeyFromSeed(createHash('sha256').update('witness').digest())
  const typed = Buffer.concat([Buffer.of(4), publicBytesOf(privateKey)])
  const id = createHash('sha256').update('w.example\n').update(typed).digest().subarray(0, 4)
  const verifierKey = `w.example+${id.toString('hex')}+${typed.toString('base64')}`
  const cosigned = (body: string, seconds: bigint) => {
    const time = Buffer.alloc(8)
    time.writeBigUInt64BE(seconds)
    const text = body.slice(body.indexOf('\n\n') + 2).split('\n\n')[0]
    const signature = sign(null, Buffer.from(`cosignature/v1\ntime ${seconds}\n${text}\n`), privateKey)
    return `— w.example ${Buffer.concat([id, time, signature]).toString('base64')}\n`
  }
  const now = BigInt(Math.floor(own.log.clock.now().getTime() / 1_000))
  const answers: ((body: string) => [number, string])[] = [
    ...['x', '-5', '1.5', '1e400', '99999999999999999999', ''].map((size) => (): [number, string] => [409, size]),
    () => [200, 'nonsense'],
    (body) => [200, cosigned(body, 0n)],
    (body) => [200, cosigned(body, now + 4_000n)],
    (body) => [200, cosigned(body, now)],
  ]
  let answer = answers[0]
  await using server = createServer(async (request, response) => {
    const [status, text] = answer?.(await readText(request)) ?? [500, '']
    response.writeHead(status).end(text)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const witness = {
    key: parseVerifierKey(verifierKey),
    verifierKey,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  }
  await own.log.db.insertInto('log_witnesses').values(rowOf(witness)).execute()
  const log = own.open([witness])
  for (const [at, one] of answers.entries()) {
    answer = one
    await queueEntries(log.db, 1)
    await advanceLog(log)
    const { size, witnesses } = await cosignersOf(own, verifierKey)
    assert.deepEqual({ size, witnesses }, { size: at + 1, witnesses: at < answers.length - 1 ? [] : ['w.example'] })
  }
  assert.equal((await headOf(log.db)).stoppedReason, null)
  // The proof of an entry that was published without the witness is written again when the witness is back.
  const proof = await proofFile(log.db, { index: 0, salt: Buffer.alloc(32) })
  assert.match(String(proof), new RegExp(`\nposts\\.example/log\n${answers.length}\n`))
})
