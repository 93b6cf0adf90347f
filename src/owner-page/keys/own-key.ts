import { findKey, type ListedKey } from '../../accounts/keys/list-keys.ts'
import { Problem } from '../../contract/problem.ts'
import { type Html, html } from '../../markup/html.ts'
import { when } from '../../page-door/when.ts'
import { nothingHere } from '../note-page.ts'
import { readId } from '../own-id.ts'
import type { Asked, Shown } from '../route.ts'

/** Goes on with the key that the address names, if it is the owner's and not revoked, also not in this very moment. */
export async function withOwnKey(
  asked: Asked<'session', unknown>,
  goOn: (key: ListedKey) => Promise<Shown>,
): Promise<Shown> {
  const { db, clock, session, params } = asked
  const id = readId('key', params['id'])
  const key = id ? await findKey(db, { accountId: session.accountId, id, at: clock.now() }) : undefined
  if (!key) return nothingHere(asked)
  return goOn(key).catch((error) => {
    if (error instanceof Problem && error.code === 'key_not_found') return nothingHere(asked)
    throw error
  })
}

/** `was last used 15 Nov 2026, 12:00 UTC` */
export const lastUse = ({ last_used_at }: ListedKey): Html =>
  last_used_at ? html`was last used !${when(last_used_at)}` : html`was never used`
