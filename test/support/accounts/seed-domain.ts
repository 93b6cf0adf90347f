import type { Service } from '../../../tooling/environment/service.ts'

/** Gives an account a verified domain, without a check. */
export const seedDomain = (service: Service, accountId: string, domain: string) =>
  service.asOwner('update accounts set domain = $2, verified_domain = $2, domain_checked_at = $3 where id = $1', [
    accountId,
    domain,
    service.clock.now(),
  ])
