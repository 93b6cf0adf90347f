import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { clientFolders } from '../../contract/command-line/client-folders.ts'
import { ownerLinkSeconds } from '../../contract/limits.ts'
import { keptFor, retentionNames } from '../../contract/retention/periods.ts'
import { prices } from '../../ledger/prices.ts'
import { dollars, money } from '../../markup/money.ts'
import { commonMcpUrl } from '../../mcp/servers.ts'
import { policy } from '../../policy/policy.ts'
import type { DocumentSite } from './document-site.ts'

/** Values by the name that texts use: `{{base_url}}`. */
export type TextFacts = Readonly<Record<string, string>>

/** Replaces every `{{name}}` in the text. Throws on an unknown name. */
export function fill(text: string, facts: TextFacts): string {
  return text.replaceAll(/\{\{(\w+)\}\}(\n\n)?/g, (_, name: string, gap = '') => {
    const fact = facts[name]
    assert.ok(fact !== undefined, `the text uses {{${name}}}, which is not a known fact`)
    // An empty fact, such as a note that does not apply, also removes the blank line after it.
    return fact === '' ? '' : fact + gap
  })
}

export const readTemplate = (name: string): string => readFileSync(new URL(`texts/${name}.md`, import.meta.url), 'utf8')

export const readSnippet = (name: string): string =>
  readFileSync(new URL(`snippets/${name}`, import.meta.url), 'utf8').trimEnd()

export const readProjectFile = (path: string): string =>
  readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')

/** Facts that every text can use. */
export function commonFacts(site: DocumentSite): TextFacts {
  const { kind, baseUrl, accountPageUrl, contactEmail } = site
  return {
    base_url: baseUrl,
    account_page_url: accountPageUrl,
    common_mcp_url: commonMcpUrl(accountPageUrl),
    contact_email: contactEmail,
    site_title: kind.site.title,
    kind: kind.name,
    price: money(kind.priceMicros),
    edit_price: money(prices.editMicros),
    search_price: money(prices.searchMicros),
    abuse_multiplier: String(prices.abuseMultiplier),
    smallest_top_up: dollars(prices.topUpMicros[0]),
    policy_version: policy.version,
    typescript_folder: clientFolders.typescript,
    python_folder: clientFolders.python,
    owner_link_minutes: String(ownerLinkSeconds / 60),
    ...keptPeriods,
  }
}

/** `{{report_texts_kept}}`: each period of the retention table. */
const keptPeriods: TextFacts = Object.fromEntries(
  retentionNames.map((name) => [`${name.replaceAll('-', '_')}_kept`, keptFor(name)]),
)
