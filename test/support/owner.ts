import { startSession } from '../../src/accounts/sign-in/session.ts'
import { csrfTokenOf } from '../../src/accounts/sign-in/token.ts'
import { connect, inTransaction } from '../../src/platform/database.ts'
import type { Service } from './service.ts'

export type Owner = Awaited<ReturnType<typeof openOwner>>

/** The owner of an account, signed in without a mail: for what happens afterwards. */
export async function openOwner(service: Service, accountId: string) {
  await using connection = connect(service.database.urls.owner_page, { poolMax: 1, applicationName: 'test owner' })
  const token = await inTransaction(connection.db, (tx) =>
    startSession(tx, { accountId, browser: 'Firefox on Linux', at: service.clock.now() }),
  )
  return ownerWith(service, token)
}

/** Who holds this session, as a browser that follows no redirects. */
export function ownerWith({ accountPageUrl }: Pick<Service, 'accountPageUrl'>, token: string) {
  const cookie = `broadside_owner=${token}`
  const csrf = csrfTokenOf(token)
  const send = (path: string, init: RequestInit = {}) =>
    fetch(`${accountPageUrl}${path}`, { redirect: 'manual', ...init, headers: { cookie, ...init.headers } })
  return {
    token,
    csrf,
    send,
    get: (path: string) => send(path),
    /** Sends a form as a page of the owner page would. */
    post: (path: string, fields: Record<string, string> = {}) =>
      send(path, {
        method: 'POST',
        body: new URLSearchParams({ csrf, ...fields }),
        headers: { origin: accountPageUrl, 'sec-fetch-site': 'same-origin' },
      }),
  }
}
