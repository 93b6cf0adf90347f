import { stringify } from 'yaml'
import packageFile from '../../package.json' with { type: 'json' }
import { asyncApiDocument } from '../contract/generators/asyncapi.ts'
import { openApiDocument } from '../contract/generators/openapi.ts'
import { rslFile } from '../contract/post-license.ts'
import { problemCatalog } from '../contract/problems/problems.ts'
import { rateLimits } from '../contract/rate-limits.ts'
import { priceList } from '../ledger/prices.ts'
import { operationsOf } from '../operations.ts'
import { policy } from '../policy/policy.ts'
import { eventFacts, eventList } from '../posts/events.ts'
import {
  attemptDelaysSeconds,
  attemptTimeoutSeconds,
  jitterShare,
  longestRetryAfterSeconds,
  timestampToleranceSeconds,
} from '../webhooks/delivery-policy.ts'
import { authMd } from './auth-md.ts'
import { agentSkills } from './catalogs/agent-skills.ts'
import { aiCatalog } from './catalogs/ai-catalog.ts'
import { apiCatalog } from './catalogs/api-catalog.ts'
import { apisJson } from './catalogs/apis-json.ts'
import { serverCard } from './catalogs/server-card.ts'
import { serverJson } from './catalogs/server-json.ts'
import { licenseXml } from './crawlers/license-xml.ts'
import { robotsTxt } from './crawlers/robots-txt.ts'
import { securityTxt } from './crawlers/security-txt.ts'
import { type Deployment, type DocumentedSite, documentedSites } from './deployment.ts'
import { webhookEventExamples } from './event-examples.ts'
import { llmsTxt } from './llms-txt.ts'
import { skillMd } from './skill-md.ts'

export { type Deployment, exampleDeployment } from './deployment.ts'

const { version } = packageFile

const delivery = {
  attemptDelaysSeconds,
  attemptTimeoutSeconds,
  jitterShare,
  longestRetryAfterSeconds,
  timestampToleranceSeconds,
}

/** Every document that is generated from the registries, by its path in the folder that contains all sites. */
export function siteDocuments(deployment: Deployment): Map<string, string> {
  return new Map(
    documentedSites(deployment).flatMap((site) =>
      documentsOf(site).map(([path, content]) => [`${site.slug}/${path}`, content] as const),
    ),
  )
}

/** The documents of one site, by path. */
export function documentsOf(site: DocumentedSite): [string, string][] {
  const card = json(serverCard(site))
  return [
    ...contracts(site),
    ['problems/index.json', json(problemCatalog(site.baseUrl))],
    ['plans.json', json({ version, ...priceList })],
    ['rate-limits.json', json({ version, ...rateLimits(site.deployment.allowances, operationsOf(site.kind)) })],
    ['policy.json', json(policy)],
    ['apis.json', json(apisJson(site))],
    ['.well-known/api-catalog', json(apiCatalog(site))],
    ['.well-known/ai-catalog.json', json(aiCatalog(site))],
    ['.well-known/agent-skills/index.json', json(agentSkills(site))],
    ['server.json', json(serverJson(site))],
    ['.well-known/mcp/server-card.json', card],
    ['mcp/server-card', card],
    ['.well-known/security.txt', securityTxt(site)],
    ['robots.txt', robotsTxt(site)],
    [rslFile.path, licenseXml()],
    ['llms.txt', llmsTxt(site)],
    ['skill.md', skillMd(site)],
    ['auth.md', authMd(site)],
  ]
}

function contracts(site: DocumentedSite): [string, string][] {
  const { kind, title, tagline, baseUrl } = site
  const { accountPageUrl } = site.deployment
  const openApi = openApiDocument({ title, tagline, baseUrl, accountPageUrl }, operationsOf(kind), version)
  const asyncApi = asyncApiDocument(
    { title, baseUrl },
    { event: eventList.shape.data.element, facts: eventFacts, examples: webhookEventExamples(site), delivery },
    version,
  )
  return [
    ['openapi.yml', yaml(openApi)],
    ['openapi.json', json(openApi)],
    ['asyncapi.yml', yaml(asyncApi)],
  ]
}

/**
 * One JSON document per problem, at the address in its `type`. Not committed, because the catalog contains them all.
 */
export function problemPages(deployment: Deployment): Map<string, string> {
  const pagesOf = (site: DocumentedSite): [string, string][] =>
    problemCatalog(site.baseUrl).problems.map((problem) => [
      `${site.slug}/problems/${problem.code}.json`,
      json(problem),
    ])
  return new Map(documentedSites(deployment).flatMap(pagesOf))
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`
const yaml = (value: unknown) => stringify(value, { lineWidth: 120, aliasDuplicateObjects: false })
