import { randomBytes } from 'node:crypto'
import { maxSigningKeysPerAccount } from '../../../src/contract/signing-key-limits.ts'
import { thumbprintOf } from '../../../src/platform/ed25519.ts'
import type { Service } from '../../../tooling/environment/service.ts'
import { newSigner } from '../posts/signer.ts'

type Clocked = Pick<Service, 'clock' | 'asOwner'>
type Call<Result> = (body: string) => Promise<Result>

/** Registers keys with which nobody can sign, and returns their ids. */
export async function seedSigningKeys(service: Clocked, accountId: string, count = 1) {
  const keys = Array.from({ length: count }, () => randomBytes(32))
  for (const key of keys)
    await service.asOwner(
      `insert into author_keys (key_id, account_id, public_key, name, created_at) values ($1, $2, $3, 'Night desk', $4)`,
      [thumbprintOf(key), accountId, key, service.clock.now()],
    )
  return keys.map(thumbprintOf)
}

/** The result of a call with the body that registers a key, while the account has no place for another one. */
export async function withAllSigningKeys<Result>(service: Service, accountId: string, call: Call<Result>) {
  await service.asOwner('delete from author_keys')
  await seedSigningKeys(service, accountId, maxSigningKeysPerAccount)
  return call(JSON.stringify(newSigner().registration({ account_id: accountId, origin: service.baseUrl })))
}
