import { startSession } from '../../src/accounts/sign-in/session.ts'
import { connect, inTransaction } from '../../src/platform/database.ts'
import { pageSender } from './page-sender.ts'
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

/** Who holds this session. */
export const ownerWith = ({ accountPageUrl }: Pick<Service, 'accountPageUrl'>, token: string) =>
  pageSender({ origin: accountPageUrl, cookie: 'broadside_owner', token })
