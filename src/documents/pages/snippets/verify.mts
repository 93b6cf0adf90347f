import { createHmac, timingSafeEqual } from 'node:crypto'

const toleranceSeconds = 5 * 60

type Delivery = {
  /** The headers webhook-id, webhook-timestamp and webhook-signature. */
  id: string
  timestamp: string
  signature: string
  /** The raw body, exactly as it arrived. */
  body: string | Uint8Array
}

/** Returns true if we sent this delivery less than five minutes ago. */
export function isGenuine(
  secret: string,
  { id, timestamp, signature, body }: Delivery,
  now = Date.now() / 1000,
): boolean {
  if (!/^\d+$/.test(timestamp) || Math.abs(now - Number(timestamp)) > toleranceSeconds) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
  return signature.split(' ').some((one) => {
    const [version, value = ''] = one.split(',', 2)
    const given = Buffer.from(value, 'base64')
    return version === 'v1' && given.length === expected.length && timingSafeEqual(given, expected)
  })
}
