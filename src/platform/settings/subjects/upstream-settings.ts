import { endpoints, filePath, upstreamServer, upstreamServers } from '../setting-values.ts'

/** Where the gateway finds the other processes, if they do not run beside it. */
export const upstreamSettings = {
  GATEWAY_API_SERVERS: upstreamServers
    .optional()
    .describe(
      'API processes behind the gateway, as host:port separated by spaces. By default they run on the gateway’s machine, on API_PORT and the following ports.',
    ),
  GATEWAY_OWNER_PAGE_SERVER: upstreamServers
    .optional()
    .describe(
      'Owner page processes behind the gateway, as host:port separated by spaces; 127.0.0.1 and OWNER_PAGE_PORT by default.',
    ),
  GATEWAY_DESK_SERVER: upstreamServers
    .optional()
    .describe(
      'Desk processes behind the gateway, as host:port separated by spaces; 127.0.0.1 and DESK_PORT by default.',
    ),
  GATEWAY_CARDS_SERVERS: upstreamServers
    .optional()
    .describe('Processes that draw cards, as host:port separated by spaces; 127.0.0.1 and CARDS_PORT by default.'),
  GATEWAY_PAGES_ENDPOINT: endpoints
    .optional()
    .describe(
      'With PAGES_STORE=s3, where the gateway reads the bucket, if that is not PAGES_S3_ENDPOINT: http:// or https:// URLs without a path, separated by spaces.',
    ),
  GATEWAY_PAGES_AUTHORITIES: filePath
    .default('/etc/ssl/certs/ca-certificates.crt')
    .describe('PEM file with the authorities that may sign the certificate of the object store.'),
  GATEWAY_CEILING_LISTEN: upstreamServer
    .optional()
    .describe(
      'Address (host:port) on which this gateway counts requests for all gateways. Use a private network: only the gateways may reach it.',
    ),
  GATEWAY_CEILING_SERVERS: upstreamServers
    .optional()
    .describe(
      'GATEWAY_CEILING_LISTEN of every gateway that shares the platform’s ceiling, separated by spaces, in the same order on each. Without it, each gateway has a ceiling of its own.',
    ),
}
