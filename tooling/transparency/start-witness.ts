import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import {
  checkConsistency,
  type OpenedCheckpoint,
  openCheckpoint,
  parseVerifierKey,
  Refusal,
} from '../../clients/typescript/src/verify/index.ts'
import { noteSigner, sha256, testKey } from './test-keys.ts'

type Options = {
  /** The verifier key of the log with this origin. */
  logKeyOf: (origin: string) => Promise<string> | string
  /** Runs after the witness has remembered a larger checkpoint than before, and before its answer leaves. */
  beforeAnswer?: (sizes: { before: number; after: number }) => Promise<void>
}

const form = /^old (\d+)\n((?:[A-Za-z0-9+/]{43}=\n)*)\n([\s\S]+)$/

/** A witness in this process (C2SP tlog-witness), over HTTP. It cosigns only what continues the last that it cosigned. */
export async function startWitness({ logKeyOf, beforeAnswer = async () => {} }: Options) {
  const signer = noteSigner('witness.test/w1', testKey(0x80), 4)
  let last: Pick<OpenedCheckpoint, 'size' | 'root'> = { size: 0n, root: Uint8Array.from(sha256('')) }
  let requests = 0
  const answer = async (body: string): Promise<[number, string]> => {
    const [, old = '', proof = '', note = ''] = form.exec(body) ?? []
    const [origin = ''] = note.split('\n')
    const logKey = await parseVerifierKey(await logKeyOf(origin), 'log')
    const opened = await openCheckpoint(note, { origin, logKey, now: new Date() })
    if (BigInt(old) !== last.size) return [409, `${last.size}\n`]
    const known = last
    await checkConsistency(
      known,
      opened,
      (proof.match(/.+/g) ?? []).map((line) => Uint8Array.from(Buffer.from(line, 'base64'))),
    )
    // Another request was faster: two checkpoints must not continue the same one.
    if (known !== last) return [409, `${last.size}\n`]
    last = opened
    if (opened.size > known.size) await beforeAnswer({ before: Number(known.size), after: Number(opened.size) })
    return [200, signer.cosignatureLine(opened.text, Math.floor(Date.now() / 1_000))]
  }
  const server = createServer(async (request, response) => {
    requests += 1
    const [status, body] = await readText(request)
      .then(answer)
      .catch((error): [number, string] => [error instanceof Refusal ? 422 : 500, String(error)])
    response.writeHead(status).end(body)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    name: signer.name,
    verifierKey: signer.vkey,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    /** The size of the last checkpoint that it cosigned. */
    size: () => Number(last.size),
    requests: () => requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await server[Symbol.asyncDispose]()
    },
  }
}
