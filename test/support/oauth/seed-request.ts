import { randomUUID } from 'node:crypto'
import { hashToken, newToken } from '../../../src/accounts/sign-in/tokens.ts'
import type { Service } from '../../../tooling/environment/service.ts'
import { newPkce, redirectUri } from './sign-in.ts'

/** A request of an app that nobody has decided yet. */
export async function seedRequest(service: Service): Promise<string> {
  const id = newToken()
  const at = service.clock.now()
  await service.asOwner(
    `insert into oauth_requests (id, client_id, client_name, client_host, redirect_uri, code_challenge, scopes, resource, created_at, expires_at)
     values ($1, $2, 'Test app', 'this computer', $3, $4, '{read,publish}', $5, $6, $7)`,
    [
      ...[id, `client_${randomUUID().replaceAll('-', '')}`, redirectUri, newPkce().challenge],
      ...[`${service.accountPageUrl}/mcp`, at, new Date(at.getTime() + 3_600_000)],
    ],
  )
  return id
}

/** The token of a browser that has proven a mailbox. */
export async function seedMailbox(service: Service): Promise<string> {
  const token = newToken()
  const at = service.clock.now()
  await service.asOwner(
    `insert into mailbox_codes (asked_by, email, key_id, created_at, expires_at, proven_at) values ($1, $2, 'test', $3, $3, $3)`,
    [hashToken(token), `${randomUUID()}@example.com`, at],
  )
  return token
}
