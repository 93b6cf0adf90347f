import { stringify } from 'yaml'
import packageFile from '../../package.json' with { type: 'json' }
import type { AllowanceSizes } from '../contract/limits.ts'
import { openApiDocument } from '../contract/openapi.ts'
import { problemCatalog } from '../contract/problem-catalog.ts'
import { rateLimits } from '../contract/rate-limits.ts'
import { type Kind, kinds } from '../kinds/index.ts'
import { priceList } from '../ledger/prices.ts'
import { operationsOf } from '../operations.ts'
import { policy } from '../policy/policy.ts'

export type Deployment = { sites: Record<string, string>; accountPageUrl: string; allowances: AllowanceSizes }

/** What the committed documents speak of; a deployment makes its own. */
export const exampleDeployment: Deployment = {
  sites: Object.fromEntries(kinds.map(({ name, site }) => [name, `https://${site.slug}.broadside.example`])),
  accountPageUrl: 'https://account.broadside.example',
  allowances: {},
}

/** Every document that derives from the registries, by its path below the folder of all sites. */
export function siteDocuments(deployment: Deployment): Map<string, string> {
  return new Map(kinds.flatMap((kind) => documentsOf(kind, deployment)))
}

function documentsOf(kind: Kind, { sites, accountPageUrl, allowances }: Deployment): [string, string][] {
  const baseUrl = String(sites[kind.name])
  const openApi = openApiDocument({ ...kind.site, baseUrl, accountPageUrl }, operationsOf(kind), packageFile.version)
  const { slug } = kind.site
  return [
    [`${slug}/openapi.yml`, stringify(openApi, { lineWidth: 120, aliasDuplicateObjects: false })],
    [`${slug}/openapi.json`, json(openApi)],
    [`${slug}/problems/index.json`, json(problemCatalog(baseUrl))],
    [`${slug}/plans.json`, json({ version: packageFile.version, ...priceList })],
    [`${slug}/rate-limits.json`, json({ version: packageFile.version, ...rateLimits(allowances) })],
    [`${slug}/policy.json`, json(policy)],
  ]
}

/** One document for each problem, at the address that its `type` names. Not committed: the catalog holds them all. */
export function problemPages({ sites }: Deployment): Map<string, string> {
  const pagesOf = (kind: Kind): [string, string][] =>
    problemCatalog(String(sites[kind.name])).problems.map((problem) => [
      `${kind.site.slug}/problems/${problem.code}.json`,
      json(problem),
    ])
  return new Map(kinds.flatMap(pagesOf))
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
