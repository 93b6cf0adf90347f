import { jcs } from '../../../../../tooling/transparency/test-keys.ts'
import { proofFile, type TestLog } from '../../../../../tooling/transparency/test-log.ts'
import {
  entryOf,
  keysDocument,
  logUrl,
  newLog,
  type TestPost,
  testPost,
  testSalt,
  verifiedAt,
} from '../../../../../tooling/transparency/test-posts.ts'
import { type Verification, type VerifyInput, verifyPost } from '../../../src/verify/index.ts'

/** Everything that a verifier reads for one genuine post. A test changes a part of it. */
export type Genuine = {
  log: TestLog
  post: TestPost
  /** The post as it is served. */
  postText: string
  keys: ReturnType<typeof keysDocument> & { keys: Record<string, unknown>[] }
  proof: { salt?: Buffer; index: number | string; hashes: Buffer[]; checkpoint: string }
  /** The proof as it is served, if it is not made from `proof`. */
  proofBytes?: Buffer
  file: (path: string) => Buffer | undefined
  lastVisit: string
  now: Date
  address?: string
}

/** An entry of the log that is no post's. */
export const someEntry = (index: number): string =>
  jcs({ h: testSalt(index).toString('hex'), n: index, t: 'audit', v: 1 })

/** Builds the log once; every test gets a copy of the rest. */
export function genuineLog(size: number): { log: TestLog; fresh: () => Genuine } {
  const log = newLog()
  const at = Math.floor(size / 3)
  const post = testPost(1)
  for (let index = 0; index < size; index++) log.append(index === at ? entryOf(post, testSalt(1)) : someEntry(index))
  const covering = at + 5
  const proof = {
    salt: testSalt(1),
    index: at,
    hashes: log.inclusionProof(at, covering),
    checkpoint: log.checkpoint(covering),
  }
  const fresh = (): Genuine => ({
    log,
    post: structuredClone(post),
    postText: JSON.stringify(post),
    keys: keysDocument(),
    proof: { ...proof, hashes: [...proof.hashes] },
    file: (path) => log.file(path),
    lastVisit: log.checkpoint(Math.floor(size / 2)),
    now: verifiedAt,
  })
  return { log, fresh }
}

export const verifyGenuine = (genuine: Genuine): Promise<Verification> => verifyPost(inputOf(genuine))

export function inputOf(genuine: Genuine): VerifyInput {
  const { postText, keys, proof, proofBytes, file, lastVisit, now, address } = genuine
  return {
    post: postText,
    keys: JSON.stringify(keys),
    proof: proofBytes ? Uint8Array.from(proofBytes) : proofFile(proof),
    lastVisit: () => lastVisit,
    now,
    fetch: async (url) => {
      const found = url.startsWith(logUrl) ? file(url.slice(logUrl.length)) : undefined
      return new Response(found ? Uint8Array.from(found) : null, { status: found ? 200 : 404 })
    },
    ...(address && { address }),
  }
}
