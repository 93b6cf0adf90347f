import { stringify } from 'yaml'
import packageFile from '../../package.json' with { type: 'json' }
import { openApiDocument } from '../contract/openapi.ts'
import { problemCatalog } from '../contract/problem-catalog.ts'
import { rateLimits } from '../contract/rate-limits.ts'
import { type Kind, kinds } from '../kinds/index.ts'
import { priceList } from '../ledger/prices.ts'
import { operationsOf } from '../operations.ts'
import { policy } from '../policy/policy.ts'

export type Addresses = { sites: Record<string, string>; accountPageUrl: string }

/** The addresses that the committed documents bear; a deployment makes its own with its own. */
export const exampleAddresses: Addresses = {
  sites: Object.fromEntries(kinds.map(({ name, site }) => [name, `https://${site.slug}.broadside.example`])),
  accountPageUrl: 'https://account.broadside.example',
}

/** Every document that derives from the registries, by its path below the folder of all sites. */
export function siteDocuments(addresses: Addresses): Map<string, string> {
  return new Map(kinds.flatMap((kind) => documentsOf(kind, addresses)))
}

function documentsOf(kind: Kind, { sites, accountPageUrl }: Addresses): [string, string][] {
  const baseUrl = String(sites[kind.name])
  const openApi = openApiDocument({ ...kind.site, baseUrl, accountPageUrl }, operationsOf(kind), packageFile.version)
  const { slug } = kind.site
  return [
    [`${slug}/openapi.yml`, stringify(openApi, { lineWidth: 120, aliasDuplicateObjects: false })],
    [`${slug}/openapi.json`, json(openApi)],
    [`${slug}/problems/index.json`, json(problemCatalog(baseUrl))],
    [`${slug}/plans.json`, json({ version: packageFile.version, ...priceList })],
    [`${slug}/rate-limits.json`, json({ version: packageFile.version, ...rateLimits })],
    [`${slug}/policy.json`, json(policy)],
  ]
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
