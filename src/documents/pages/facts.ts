import { ownerLinkSeconds } from '../../contract/limits.ts'
import { prices } from '../../ledger/prices.ts'
import { policy } from '../../policy/policy.ts'
import { dollars, money } from '../../publishing/dollars.ts'
import type { DocumentSite } from './document-site.ts'
import type { Facts } from './fill.ts'

/** What any text may ask for. */
export function commonFacts(site: DocumentSite): Facts {
  const { kind, baseUrl, accountPageUrl, contactEmail } = site
  return {
    base_url: baseUrl,
    account_page_url: accountPageUrl,
    contact_email: contactEmail,
    site_title: kind.site.title,
    kind: kind.name,
    price: money(kind.priceMicros),
    edit_price: money(prices.editMicros),
    search_price: money(prices.searchMicros),
    abuse_multiplier: String(prices.abuseMultiplier),
    smallest_top_up: dollars(prices.topUpMicros[0]),
    policy_version: policy.version,
    owner_link_minutes: String(ownerLinkSeconds / 60),
  }
}
