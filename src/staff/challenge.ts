import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto'
import { hashToken } from '../accounts/sign-in/tokens.ts'
import type { Transaction } from '../platform/database/database.ts'
import { PasskeyRefusal } from './passkey-refusal.ts'

/** The purpose of a challenge. A signature for one purpose is not valid for another. */
export type Purpose = 'sign-in' | `join:${string}`

/** Enough time for a person who must first find their phone. */
export const challengeSeconds = 300

/** One secret, or two during rotation: the first is used for signing, and both are accepted. */
export type Secrets = readonly KeyObject[]

type Asked = { purpose: Purpose; at: Date }

/**
 * The challenge that a passkey must sign. It contains its expiry time and an HMAC, so an unused challenge needs no row.
 */
export function makeChallenge([secret]: Secrets, { purpose, at }: Asked): string {
  if (!secret) throw new Error('a challenge requires a secret')
  const nonce = randomBytes(16).toString('base64url')
  const endsAt = String(at.getTime() + challengeSeconds * 1_000)
  return [nonce, endsAt, proofOf(secret, { purpose, nonce, endsAt })].join('.')
}

/** Whether we issued it for this purpose and it has not expired. */
export function isChallenge(secrets: Secrets, challenge: string, { purpose, at }: Asked): boolean {
  const [nonce = '', endsAt = '', proof = '', ...rest] = challenge.split('.')
  if (rest.length > 0) return false
  const isOurs = secrets.some((secret) => isSame(proofOf(secret, { purpose, nonce, endsAt }), proof))
  return isOurs && Number(endsAt) > at.getTime()
}

type Proved = { purpose: Purpose; nonce: string; endsAt: string }

const proofOf = (secret: KeyObject, { purpose, nonce, endsAt }: Proved) =>
  createHmac('sha256', secret).update(`desk challenge ${purpose} ${nonce} ${endsAt}`).digest('base64url')

function isSame(expected: string, given: string): boolean {
  const [one, other] = [Buffer.from(expected), Buffer.from(given)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** Uses up the challenge: if it is sent twice, only one request succeeds. */
export async function spendChallenge(tx: Transaction, challenge: string, at: Date): Promise<void> {
  const spent = await tx
    .insertInto('spent_challenges')
    .values({ challenge_hash: hashToken(challenge), spent_at: at })
    .onConflict((known) => known.doNothing())
    .executeTakeFirst()
  if (spent.numInsertedOrUpdatedRows !== 1n) throw new PasskeyRefusal('spent_challenge')
}
