import { gatewayFiles, writeGatewayFiles } from '../../../../src/bin/gateway/configuration.ts'
import { usualLimits } from '../../../../src/bin/gateway/limit-values.ts'
import { gatewayProblems } from '../../../../src/bin/gateway/problems.ts'
import { sitesFromSettings } from '../../../../src/bin/sites.ts'
import { ceilings, platformBurst } from '../../../../src/contract/limits.ts'
import type { SettingName } from '../../../../src/platform/settings/settings.ts'
import { errorPages } from '../../../../src/publishing/pages/all-error-pages.ts'
import { siteViews } from '../../../../src/publishing/views.ts'
import { firstSecret } from '../../../../tooling/services/nginx.ts'

type Place = {
  address: string
  /** The addresses of all hosts. */
  addresses: readonly string[]
  baseUrls: Record<string, string>
  settings: Partial<Record<SettingName, string>>
}

/** The production gateway of one host, without TLS: pages from the object store, the API on all hosts, one ceiling. */
export async function writeGateway(directory: string, { address, addresses, baseUrls, settings }: Place) {
  const sites = sitesFromSettings(baseUrls)
  const listen = (url: string | undefined) => [`${address}:${new URL(String(url)).port}`]
  const onAll = (port: number) => addresses.map((one) => `${one}:${port}`)
  const page = (baseUrl: string | undefined, upstreamPort: number) => ({
    ...{ baseUrl: String(baseUrl), listen: listen(baseUrl), upstreamPort },
  })
  const files = gatewayFiles({
    directory,
    sites: [...sites.values()].map(({ kind, baseUrl }) => ({
      ...{ name: kind.site.slug, baseUrl, listen: listen(baseUrl), root: directory },
    })),
    store: {
      endpoints: [String(settings.PAGES_S3_ENDPOINT)],
      bucket: String(settings.PAGES_S3_BUCKET),
      authorities: '',
    },
    ownerPage: page(settings.ACCOUNT_PAGE_URL, 4110),
    desk: page(settings.DESK_URL, 4120),
    apiPorts: [],
    cardsPort: 4140,
    elsewhere: { api: onAll(4101) },
    requestsPerSecond: ceilings.platform.max,
    burst: platformBurst,
    ceiling: { listen: `${address}:4090`, servers: onAll(4090) },
    problems: gatewayProblems,
    errorPages: errorPages(siteViews(sites).values()),
    workers: { processes: 1, connections: 4_096 },
    // All readers and callers of this run have one address.
    limits: { ...usualLimits, connections: 10_000, apiRequestsInProgress: 10_000 },
    secret: firstSecret(String(settings.GATEWAY_SECRET)),
  })
  await writeGatewayFiles(directory, files)
}
