/**
 * A witness for transparency logs (C2SP tlog-witness): cosigns a checkpoint only if it continues the last one that it
 * cosigned. A log that shows different trees to different readers therefore gets no second cosignature.
 *
 * Usage: node witness.ts
 */
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { checkConsistency, cosignedText, openCheckpoint, parseVerifierKey, Refusal } from 'broadside/verify'

type Answer = [status: number, body: string, type?: string]
type Hash = Uint8Array<ArrayBuffer>
type LogKey = Awaited<ReturnType<typeof parseVerifierKey>>

const { WITNESS_NAME: name = '', WITNESS_SEED = '', WITNESS_LOGS = '', WITNESS_STATE: folder = 'state' } = process.env
const maxBodyBytes = 65_536
const form = /^old (0|[1-9]\d{0,18})\n((?:[A-Za-z0-9+/]{43}=\n){0,63})\n(?=(.*)\n)([\s\S]+)$/
const sha256 = (data: string | Buffer) => Uint8Array.from(createHash('sha256').update(data).digest())
const hex = (data: Uint8Array) => Buffer.from(data).toString('hex')

const seed = Buffer.from(WITNESS_SEED, 'base64')
if (!/^[^\s+]+$/.test(name) || seed.length !== 32)
  throw new Error('Set WITNESS_NAME, without spaces and plus signs, and WITNESS_SEED, 32 random bytes in base64.')
const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed])
const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
const publicKey = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32)
const typedKey = Buffer.concat([Buffer.of(0x04), publicKey])
const keyId = sha256(Buffer.concat([Buffer.from(`${name}\n`), typedKey])).subarray(0, 4)

const vkeys = WITNESS_LOGS.split(/\s+/).filter(Boolean)
const logKeys = await Promise.all(vkeys.map((vkey) => parseVerifierKey(vkey, 'log')))
const fileOf = (origin: string) => join(folder, hex(sha256(origin)))
await mkdir(folder, { recursive: true })

/** The last checkpoint that this witness cosigned; undefined only if there never was one. */
const cosignedNote = (origin: string): Promise<string | undefined> =>
  readFile(fileOf(origin), 'utf8').catch((error) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  })

/** Durable before the cosignature leaves this process: a crash must not let it cosign something else. */
async function save(origin: string, note: string): Promise<void> {
  await using draft = await open(`${fileOf(origin)}.new`, 'w')
  await draft.writeFile(note)
  await draft.sync()
  await rename(`${fileOf(origin)}.new`, fileOf(origin))
  await using directory = await open(folder, 'r')
  await directory.sync()
}

function cosignatureLine(text: string): string {
  const time = BigInt(Math.floor(Date.now() / 1_000))
  const blob = Buffer.concat([keyId, Buffer.alloc(8), sign(null, Buffer.from(cosignedText(time, text)), privateKey)])
  blob.writeBigUInt64BE(time, keyId.length)
  return `— ${name} ${blob.toString('base64')}\n`
}

async function addCheckpoint(logKey: LogKey, note: string, old: bigint, proof: Hash[]): Promise<Answer> {
  const origin = logKey.name
  const checkpoint = await openCheckpoint(note, { origin, logKey, now: new Date() })
  if (old > checkpoint.size) return [400, 'The old size is larger than the checkpoint.\n']
  const [, size = '0', root] = (await cosignedNote(origin))?.split('\n') ?? []
  if (old !== BigInt(size)) return [409, `${size}\n`, 'text/x.tlog.size']
  const last = { size: old, root: root ? Uint8Array.from(Buffer.from(root, 'base64')) : sha256('') }
  await checkConsistency(last, checkpoint, proof)
  const line = cosignatureLine(checkpoint.text)
  await save(origin, note + line)
  return [200, line]
}

const turns = new Map<string, Promise<unknown>>()

/** One request for an origin at a time: two that start from the same checkpoint must not both be cosigned. */
function inTurn(origin: string, work: () => Promise<Answer>): Promise<Answer> {
  const turn = (turns.get(origin) ?? Promise.resolve()).then(work, work)
  turns.set(origin, turn)
  return turn
}

async function answer(request: IncomingMessage): Promise<Answer> {
  const asked = logKeys.find((key) => request.url === `/${hex(sha256(key.name))}/checkpoint`)
  const latest = asked && request.method === 'GET' ? await cosignedNote(asked.name) : undefined
  if (latest) return [200, latest]
  if (request.method !== 'POST' || request.url !== '/add-checkpoint') return [404, 'There is nothing here.\n']
  const chunks: Buffer[] = []
  for await (const chunk of request)
    if (chunks.push(chunk) && Buffer.concat(chunks).length > maxBodyBytes) return [413, 'The request is too large.\n']
  const [, old, lines = '', origin = '', note = ''] = form.exec(Buffer.concat(chunks).toString()) ?? []
  if (!old) return [400, 'The request does not have the form of add-checkpoint.\n']
  const logKey = logKeys.find((key) => key.name === origin)
  if (!logKey) return [404, 'This witness does not know the log.\n']
  const proof = lines.match(/.+/g)?.map((line) => Uint8Array.from(Buffer.from(line, 'base64'))) ?? []
  return inTurn(origin, () => addCheckpoint(logKey, note, BigInt(old), proof))
}

/** The status for what the library refuses. Whatever is not listed is malformed. */
const statuses: Record<string, number> = {
  ...{ note_unsigned: 403, note_signature_wrong: 403 },
  ...{ proof_length: 422, not_a_continuation: 422, same_size_other_root: 422 },
}

const server = createServer(async (request, response) => {
  const [status, body, type = 'text/plain; charset=utf-8'] = await answer(request).catch((error): Answer => {
    if (error instanceof Refusal) return [statuses[error.code] ?? 400, `${error.message}\n`]
    console.error(error)
    return [500, 'The witness failed. Try again later.\n']
  })
  response.writeHead(status, { 'content-type': type }).end(body)
})
server.listen(Number(process.env['PORT'] ?? 8080), '127.0.0.1', () => {
  const address = server.address()
  console.log(`${name}+${hex(keyId)}+${typedKey.toString('base64')}`)
  console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`)
})
