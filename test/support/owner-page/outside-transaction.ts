import { openOwnerPage } from '../../../src/bin/commands/processes/owner-page.ts'
import type { Owner } from '../../../tooling/clients/owner.ts'
import type { Service } from '../../../tooling/environment/service.ts'
import { quietPort } from '../../../tooling/services/state.ts'

/** A second owner page of the same accounts, with manual payments. */
export async function openManualPayments({ settings, surroundings }: Service) {
  const own = {
    PAYMENTS_DRIVER: 'manual',
    PAYMENTS_INSTRUCTIONS: 'Send gold.',
    OWNER_PAGE_PORT: String(await quietPort()),
    OWNER_PAGE_HEALTH_PORT: String(await quietPort()),
  }
  return openOwnerPage({ ...settings, ...own }, surroundings)
}

/** That page, as a signed-in owner uses it. */
export async function openOutsideTransaction(service: Service, owner: Owner) {
  const { app, [Symbol.asyncDispose]: close } = await openManualPayments(service)
  const headers = { host: new URL(service.accountPageUrl).host, cookie: `broadside_owner=${owner.token}` }
  return {
    send: (method: 'GET' | 'POST', url: string, fields: Record<string, string> = {}) =>
      app.inject({
        ...{ method, url },
        ...(method === 'POST' && { payload: String(new URLSearchParams({ ...fields, csrf: owner.csrf })) }),
        headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      }),
    [Symbol.asyncDispose]: close,
  }
}
