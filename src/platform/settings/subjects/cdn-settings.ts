import { z } from 'zod'

export const cdnProviders = ['fastly', 'cloudflare'] as const

/** The CDN in front of the gateway, if there is one. docs/cdn.md explains the set-up. */
export const cdnSettings = {
  CDN_PROVIDER: z
    .enum(cdnProviders)
    .optional()
    .describe('The CDN whose caches workers purge when pages change. Requires CDN_SERVICE_ID and CDN_TOKEN.'),
  CDN_SERVICE_ID: z
    .string()
    .regex(/^[A-Za-z0-9]{8,64}$/)
    .optional()
    .describe('The service of Fastly or the zone of Cloudflare.'),
  CDN_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{1,512}$/)
    .optional()
    .describe('Token of the CDN’s API that may purge, and nothing else.'),
  CDN_API_URL: z.url().optional().describe('Address of the CDN’s API; the provider’s own by default.'),
  GATEWAY_CDN: z
    .enum(cdnProviders)
    .optional()
    .describe('The CDN for which the gateway adds surrogate keys and a longer lifetime to its responses.'),
}
