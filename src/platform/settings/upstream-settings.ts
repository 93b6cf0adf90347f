import { upstreamServer, upstreamServers } from './setting-values.ts'

/** Where the gateway finds the other processes, if they do not run beside it. */
export const upstreamSettings = {
  GATEWAY_API_SERVERS: upstreamServers
    .optional()
    .describe(
      'API processes behind the gateway, as host:port separated by spaces. By default they run on the gateway’s machine, on API_PORT and the following ports.',
    ),
  GATEWAY_OWNER_PAGE_SERVER: upstreamServer
    .optional()
    .describe('The owner page behind the gateway, as host:port; 127.0.0.1 and OWNER_PAGE_PORT by default.'),
  GATEWAY_DESK_SERVER: upstreamServer
    .optional()
    .describe('The desk behind the gateway, as host:port; 127.0.0.1 and DESK_PORT by default.'),
}
