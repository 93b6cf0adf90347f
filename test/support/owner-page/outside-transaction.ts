import { buildOwnerPage } from '../../../src/owner-page/server.ts'
import { connect } from '../../../src/platform/database/database.ts'
import { createLogger } from '../../../src/platform/observability/logger.ts'
import { openSealing } from '../../../src/platform/sealing.ts'
import { settings } from '../../../src/platform/settings/settings.ts'
import type { Owner } from '../../../tooling/clients/owner.ts'
import { newSecretsKey, type Service } from '../../../tooling/environment/service.ts'
import { testOperator } from '../../../tooling/fixtures/operator.ts'
import { noDocuments } from '../oauth/no-documents.ts'

/** The owner page of the same accounts in a service with manual payments. */
export async function openOutsideTransaction(service: Service, owner: Owner) {
  const connection = connect(service.database.urls.owner_page, { poolMax: 1, applicationName: 'test manual' })
  const app = buildOwnerPage({
    ...{ db: connection.db, clock: service.clock, accountPageUrl: service.accountPageUrl, baseUrls: service.baseUrls },
    logger: createLogger('fatal', 'test'),
    sealing: openSealing(settings.SECRETS_KEYS.parse(newSecretsKey('test'))),
    payments: { driver: 'manual', instructions: 'Send gold.' },
    operator: testOperator,
    documents: noDocuments,
    obeysTestWords: true,
    isStopping: () => false,
  })
  const headers = { host: new URL(service.accountPageUrl).host, cookie: `broadside_owner=${owner.token}` }
  return {
    send: (method: 'GET' | 'POST', url: string, fields: Record<string, string> = {}) =>
      app.inject({
        ...{ method, url },
        ...(method === 'POST' && { payload: String(new URLSearchParams({ ...fields, csrf: owner.csrf })) }),
        headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      }),
    [Symbol.asyncDispose]: async () => {
      await app.close()
      await connection[Symbol.asyncDispose]()
    },
  }
}
