import { createHmac, randomBytes } from 'node:crypto'
import type { Transaction } from '../platform/database.ts'
import type { Sealing } from '../platform/sealing.ts'

const secretBytes = 32

/** A new secret as bytes, and as its owner is shown it once. */
export function newSecret() {
  const key = randomBytes(secretBytes)
  return { key, shown: `whsec_${key.toString('base64')}` }
}

type Kept = { webhookId: string; number: number; key: Buffer; at: Date }

/** A sealed secret opens in its own row only: one that was moved to another is refused. */
export const rowOf = (webhookId: string, number: number) => `${webhookId}:${number}`

export async function keepSecret(tx: Transaction, sealing: Sealing, { webhookId, number, key, at }: Kept) {
  const { sealed, keyId } = sealing.seal(key, rowOf(webhookId, number))
  await tx
    .insertInto('webhook_secrets')
    .values({ webhook_id: webhookId, number, sealed, key_id: keyId, created_at: at })
    .execute()
}

export type Signed = { 'webhook-id': string; 'webhook-timestamp': string; 'webhook-signature': string }

/** Standard Webhooks: one signature for each secret, over the very bytes that are sent, with the time of this attempt. */
export function sign(
  secrets: readonly Buffer[],
  { eventId, at, body }: { eventId: string; at: Date; body: Buffer },
): Signed {
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  const signatures = secrets.map((key) => {
    const mac = createHmac('sha256', key).update(`${eventId}.${timestamp}.`).update(body)
    return `v1,${mac.digest('base64')}`
  })
  return { 'webhook-id': eventId, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}
