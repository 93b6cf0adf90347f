import type { Database } from '../platform/database/database.ts'
import { thumbprintOf } from '../platform/ed25519.ts'

/** `/.well-known/broadside-keys.json`: the public keys with which anyone can verify posts and the transparency log. */
export async function keysDocument(db: Database, baseUrl: string): Promise<string> {
  const keys = await db
    .selectFrom('signing_keys')
    .select(['public_key', 'valid_from', 'valid_until'])
    .orderBy('valid_from')
    .orderBy('key_id')
    .execute()
  const head = await db.selectFrom('log_head').select(['origin', 'verifier_key']).executeTakeFirst()
  const closed = await db
    .selectFrom('closed_logs')
    .select(['origin', 'verifier_key', 'reason', 'closed_at', 'last_checkpoint'])
    .orderBy('number', 'desc')
    .execute()
  const nameOf = ({ origin, verifier_key }: { origin: string; verifier_key: string }) => ({
    origin,
    url: `${new URL(baseUrl).protocol}//${origin}/`,
    vkey: verifier_key,
  })
  const document = {
    keys: keys.map(({ public_key, valid_from, valid_until }) => ({
      kty: 'OKP',
      crv: 'Ed25519',
      x: public_key.toString('base64url'),
      kid: thumbprintOf(public_key),
      use: 'sig',
      alg: 'Ed25519',
      purpose: 'posts',
      valid_from: valid_from.toISOString(),
      valid_until: valid_until?.toISOString() ?? null,
    })),
    logs: [
      ...(head ? [{ ...nameOf(head), state: 'open' }] : []),
      // Readers who remember a closed log must find it here.
      ...closed.map((log) => ({
        ...nameOf(log),
        state: 'closed',
        closed_at: log.closed_at.toISOString(),
        reason: log.reason,
        last_checkpoint: log.last_checkpoint,
      })),
    ],
  }
  return `${JSON.stringify(document, null, 2)}\n`
}
