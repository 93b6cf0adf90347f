import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { ceilings, platformBurst } from '../../../contract/limits.ts'
import { readSettings, type Settings } from '../../../platform/settings/settings.ts'
import { errorPages } from '../../../publishing/pages/all-error-pages.ts'
import { siteViews } from '../../../publishing/views.ts'
import { type Command, CommandError } from '../../command.ts'
import { gatewayFiles, writeGatewayFiles } from '../../gateway/configuration.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import { usualLimits } from '../../gateway/limit-values.ts'
import { gatewayProblems } from '../../gateway/problems.ts'
import { sitesFromSettings } from '../../sites.ts'

export const gatewaySettings = [
  'SITES',
  'ACCOUNT_PAGE_URL',
  'PAGES_DIRECTORY',
  'API_PORT',
  'API_PROCESSES',
  'OWNER_PAGE_PORT',
  'DESK_URL',
  'DESK_PORT',
  'CARDS_PORT',
  'GATEWAY_LISTEN',
  'GATEWAY_CERTIFICATE',
  'GATEWAY_CERTIFICATE_KEY',
  'GATEWAY_USER',
  'GATEWAY_TRUSTED_PROXIES',
  'GATEWAY_PROXY_PROTOCOL',
  'GATEWAY_CONNECTIONS_PER_ADDRESS',
  'GATEWAY_REQUESTS_PER_SECOND_PER_ADDRESS',
  'GATEWAY_SECRET',
  'GATEWAY_API_SERVERS',
  'GATEWAY_OWNER_PAGE_SERVER',
  'GATEWAY_DESK_SERVER',
  'GATEWAY_CARDS_SERVERS',
  'PAGES_STORE',
  'PAGES_S3_ENDPOINT',
  'PAGES_S3_BUCKET',
  'GATEWAY_PAGES_ENDPOINT',
  'GATEWAY_PAGES_AUTHORITIES',
  'GATEWAY_CEILING_LISTEN',
  'GATEWAY_CEILING_SERVERS',
  'GATEWAY_ACCESS_LOG',
  'GATEWAY_CDN',
] as const

const gatewayCommand: Command = {
  usage: 'gateway <directory>',
  summary: 'Writes the gateway’s production configuration and prints the next steps.',
  details:
    'Creates the directory if it is missing, and replaces the files from an earlier run. Only the current user can read the files, ' +
    'because they contain GATEWAY_SECRET. Run the command on the gateway machine: it looks for nginx’s stream module there. ' +
    'See docs/runbooks/gateway.md.',
  run: async ({ values, environment }) => {
    const directory = resolve(String(values['directory']))
    const gateway = productionGateway(readSettings(environment, gatewaySettings), directory)
    await writeGatewayFiles(directory, gatewayFiles(gateway))
    console.log(nextSteps(directory))
  },
}

/** All hosts listen on the same addresses and differ by name. */
export function productionGateway(settings: Settings<(typeof gatewaySettings)[number]>, directory: string): Gateway {
  const addresses = [...Object.values(settings.SITES), settings.ACCOUNT_PAGE_URL, settings.DESK_URL]
  if (!addresses.every((url) => url.startsWith('https://')))
    throw new CommandError(
      'SITES, ACCOUNT_PAGE_URL and DESK_URL must start with https://. The gateway supports only HTTPS.',
    )
  if (settings.GATEWAY_PROXY_PROTOCOL && !settings.GATEWAY_TRUSTED_PROXIES)
    throw new CommandError('GATEWAY_PROXY_PROTOCOL needs GATEWAY_TRUSTED_PROXIES: the proxies that send it.')
  if (!settings.GATEWAY_CEILING_LISTEN !== !settings.GATEWAY_CEILING_SERVERS)
    throw new CommandError('Set both GATEWAY_CEILING_LISTEN and GATEWAY_CEILING_SERVERS, or none of them.')
  const [secret] = settings.GATEWAY_SECRET
  assert(secret, 'GATEWAY_SECRET must have at least one value.')
  const listen = settings.GATEWAY_LISTEN
  const sites = sitesFromSettings(settings.SITES)
  return {
    directory,
    sites: [...sites.values()].map(({ kind, baseUrl }) => ({
      ...{ name: kind.site.slug, baseUrl, listen },
      root: resolve(settings.PAGES_DIRECTORY, kind.site.slug),
    })),
    ownerPage: { baseUrl: settings.ACCOUNT_PAGE_URL, listen, upstreamPort: settings.OWNER_PAGE_PORT },
    desk: { baseUrl: settings.DESK_URL, listen, upstreamPort: settings.DESK_PORT },
    strangers: { listen },
    apiPorts: Array.from({ length: settings.API_PROCESSES }, (_, index) => settings.API_PORT + index),
    cardsPort: settings.CARDS_PORT,
    elsewhere: {
      ...(settings.GATEWAY_API_SERVERS && { api: settings.GATEWAY_API_SERVERS }),
      ...(settings.GATEWAY_OWNER_PAGE_SERVER && { ownerPage: settings.GATEWAY_OWNER_PAGE_SERVER }),
      ...(settings.GATEWAY_DESK_SERVER && { desk: settings.GATEWAY_DESK_SERVER }),
      ...(settings.GATEWAY_CARDS_SERVERS && { cards: settings.GATEWAY_CARDS_SERVERS }),
    },
    cdn: settings.GATEWAY_CDN,
    requestsPerSecond: ceilings.platform.max,
    burst: platformBurst,
    problems: gatewayProblems,
    errorPages: errorPages(siteViews(sites).values()),
    // A client takes up to four: two of the stream block, one of the http block, one to the process behind it.
    workers: { processes: 'auto', connections: 32_768, user: settings.GATEWAY_USER },
    limits: {
      ...usualLimits,
      connections: settings.GATEWAY_CONNECTIONS_PER_ADDRESS ?? usualLimits.connections,
      apiRequestsPerSecond: settings.GATEWAY_REQUESTS_PER_SECOND_PER_ADDRESS ?? null,
    },
    tls: { certificate: settings.GATEWAY_CERTIFICATE, key: settings.GATEWAY_CERTIFICATE_KEY },
    secret,
    acceptedSecrets: settings.GATEWAY_SECRET,
    ...(settings.PAGES_STORE === 's3' && { store: storeOf(settings) }),
    ...(settings.GATEWAY_CEILING_LISTEN &&
      settings.GATEWAY_CEILING_SERVERS && {
        ceiling: { listen: settings.GATEWAY_CEILING_LISTEN, servers: settings.GATEWAY_CEILING_SERVERS },
      }),
    ...(settings.GATEWAY_TRUSTED_PROXIES && { trustedProxies: settings.GATEWAY_TRUSTED_PROXIES }),
    proxyProtocol: settings.GATEWAY_PROXY_PROTOCOL,
    ...(settings.GATEWAY_ACCESS_LOG && { accessLog: settings.GATEWAY_ACCESS_LOG }),
  }
}

/** The bucket of the workers, maybe at another address. */
function storeOf(settings: Settings<(typeof gatewaySettings)[number]>) {
  const { PAGES_S3_ENDPOINT: endpoint, PAGES_S3_BUCKET: bucket, GATEWAY_PAGES_AUTHORITIES: authorities } = settings
  const endpoints = settings.GATEWAY_PAGES_ENDPOINT ?? (endpoint === undefined ? undefined : [endpoint])
  if (!endpoints || !bucket)
    throw new CommandError('PAGES_STORE=s3 needs PAGES_S3_BUCKET, and PAGES_S3_ENDPOINT or GATEWAY_PAGES_ENDPOINT.')
  return { endpoints, bucket, authorities }
}

function nextSteps(directory: string): string {
  const nginx = `nginx -p ${directory}/ -c nginx.conf -e error.log`
  return [
    `The configuration is in ${directory}. As root:`,
    `  ${nginx} -t          checks the configuration`,
    `  ${nginx}             runs the gateway in the foreground`,
    `  ${nginx} -s reload   reloads the configuration and certificate of a running gateway`,
    'deploy/systemd/broadside-gateway.service is a unit that does all of it; see docs/runbooks/gateway.md.',
  ].join('\n')
}

export const commands: readonly Command[] = [gatewayCommand]
