import type { Service } from '../../../tooling/environment/service.ts'

type Seeded = { accountId: string; domain?: string; keyId?: string; state?: string }

export const seededKeyId = 'k'.repeat(43)

/** A key of an agent in this state, as if its directory had been read. */
export async function seedAgent(service: Service, seeded: Seeded): Promise<void> {
  const { accountId, domain = 'agent.example', keyId = seededKeyId, state = 'awaiting_owner' } = seeded
  const at = service.clock.now()
  await service.asOwner(
    `insert into agent_keys (account_id, directory_url, key_id, domain, state, signed_at, checked_at, decided_at)
     values ($1, 'https://' || $2 || '/.well-known/http-message-signatures-directory', $3, $2, $4::agent_state, $5, $5,
       case when $4::agent_state = 'verified' then $5::timestamptz end)
     on conflict (account_id, directory_url, key_id) do update set state = excluded.state, decided_at = excluded.decided_at`,
    [accountId, domain, keyId, state, at],
  )
}
